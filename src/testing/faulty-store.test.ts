import { expect, it } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import { first, record, recorded, request } from './contracts/journal-samples.ts';
import { createFaultyStore, type Failure } from './faulty-store.ts';

const fault = expect.objectContaining({ name: 'Fault', code: 'disk-full' }) as unknown;

it('fails the n-th append before it is written, and only that one', async () => {
  const store = open('fail-before');
  const { journal } = store;
  expect(await journal.append(request(0, [record('a')]))).toMatchObject({ type: 'appended', seq: 1 });
  expect(store.failed()).toBe(false);
  await expect(journal.append(request(1, [record('b')]))).rejects.toEqual(fault);
  expect(await journal.append(request(1, [record('b')]))).toMatchObject({ type: 'appended', seq: 2 });
  expect([store.appends(), store.failed()]).toEqual([3, true]);
});

it('loses the acknowledgement of the n-th append', async () => {
  const { journal } = open('fail-after');
  await journal.append(request(0, [record('a')]));
  await expect(journal.append(request(1, [record('b')]))).rejects.toEqual(fault);
  expect(await journal.append(request(1, [record('b')]))).toEqual({ type: 'conflict', seq: 2 });
});

it.each([
  ['crash-before', ['a']],
  ['crash-after', ['a', 'b']],
] as const)('stops answering after %s', async (failure, kept) => {
  const store = createMemoryStore();
  const { journal, leases } = createFaultyStore(store, { at: 2, failure });
  await journal.append(request(0, [record('a')]));
  const answers: unknown[] = [];
  const note = (answer: unknown) => answers.push(answer);
  void journal.append(request(1, [record('b')])).then(note, note);
  void journal.append(request(2, [record('c')])).then(note, note);
  void leases.claim(first).then(note, note);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toEqual([]);
  expect(await store.journal.read(first, { after: 0 })).toEqual({
    events: recorded(1, ...kept),
    last: kept.length,
  });
});

it('refuses a count that never comes', () => {
  expect(() => createFaultyStore(createMemoryStore(), { at: 0, failure: 'fail-before' })).toThrow(RangeError);
});

function open(failure: Failure) {
  return createFaultyStore(createMemoryStore(), { at: 2, failure });
}
