import { expect, test } from 'vitest';

import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { AppendOp } from './append-op.ts';
import { createGroupWriter, type AppendWritten } from './group-writer.ts';

function op(session: string, id = session): AppendOp {
  return { id, session: session as SessionId, position: 0, after: '', epoch: 1, expected: 0, records: [] };
}

/** Statements that the test answers. */
function setUp() {
  const sent: { readonly ids: readonly string[]; answer(error?: Error): void }[] = [];
  const writer = createGroupWriter((ops) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly AppendWritten[]>();
    sent.push({
      ids: ops.map(({ id }) => id),
      answer: (error) => (error === undefined ? resolve(ops.map(({ id }) => ({ type: id }))) : reject(error)),
    });
    return promise;
  });
  const sentIds = () => sent.map(({ ids }) => ids);
  return { writer, sent, sentIds };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('[C151] appends of one moment share a statement, sorted by session, and each gets its own answer', async () => {
  const { writer, sent, sentIds } = setUp();
  const answers = Promise.all(['b', 'c', 'a'].map((session) => writer.write(op(session))));
  await soon();
  expect(sentIds()).toEqual([['a', 'b', 'c']]);
  sent[0]?.answer();
  expect(await answers).toEqual([{ type: 'b' }, { type: 'c' }, { type: 'a' }]);
});

test('[C151] two statements are under way at most, and a session is in one of them', async () => {
  const { writer, sent, sentIds } = setUp();
  const written = [writer.write(op('a'))];
  await soon();
  written.push(writer.write(op('a', 'a2')), writer.write(op('b')));
  await soon();
  written.push(writer.write(op('c')), writer.write(op('d')));
  await soon();
  expect(sentIds()).toEqual([['a'], ['b']]);
  sent[0]?.answer();
  await soon();
  expect(sentIds()).toEqual([['a'], ['b'], ['a2', 'c', 'd']]);
  sent[1]?.answer();
  sent[2]?.answer();
  await Promise.all(written);
  await writer.drain();
});

test('[C151] a statement holds one append of a session; the next one waits for it', async () => {
  const { writer, sent, sentIds } = setUp();
  const written = Promise.all([writer.write(op('a')), writer.write(op('b')), writer.write(op('a', 'a2'))]);
  await soon();
  expect(sentIds()).toEqual([['a', 'b']]);
  sent[0]?.answer();
  await soon();
  sent[1]?.answer();
  expect(await written).toEqual([{ type: 'a' }, { type: 'b' }, { type: 'a2' }]);
  expect(sentIds()).toEqual([['a', 'b'], ['a2']]);
});

test('[C151] an append that the server cannot carry out fails alone', async () => {
  const { writer, sent, sentIds } = setUp();
  const all = Promise.allSettled([writer.write(op('a')), writer.write(op('b'))]);
  await soon();
  sent[0]?.answer(new Fault('internal', 'one of them'));
  await soon();
  sent[1]?.answer();
  await soon();
  sent[2]?.answer(new Fault('internal', 'bad'));
  expect(await all).toEqual([
    { status: 'fulfilled', value: { type: 'a' } },
    { status: 'rejected', reason: new Fault('internal', 'bad') },
  ]);
  expect(sentIds()).toEqual([['a', 'b'], ['a'], ['b']]);
});

test('[C151] if the server is away, no append is tried alone', async () => {
  const { writer, sent, sentIds } = setUp();
  const all = Promise.allSettled([writer.write(op('a')), writer.write(op('b'))]);
  await soon();
  sent[0]?.answer(new Fault('network', 'away'));
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(sentIds()).toEqual([['a', 'b']]);
});
