import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { Fault } from '../../kernel/fault.ts';
import type { Journal } from '../../ports/journal.ts';
import { first, record, request } from '../../testing/contracts/journal-samples.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { listenRemotely, quietMs } from './listen-remotely.ts';

/** A follower of a session whose commits aren't announced. */
async function createScene(reading: (read: Journal['read']) => Journal['read'] = (read) => read) {
  const store = createMemoryStore();
  const clock = createFakeClock();
  const { journal } = store;
  let reads = 0;
  const read = reading((...asked) => journal.read(...asked));
  const counted: Journal['read'] = (...asked) => {
    reads += 1;
    return read(...asked);
  };
  const silent = { ...store, journal: { ...journal, read: counted, onCommit: () => () => undefined } };
  let { position } = store.leases.create(first);
  let written = 0;
  async function append(text: string): Promise<void> {
    const appended = await journal.append(request(written, [record(text)], { position }));
    if (appended.type !== 'appended') throw new Error(JSON.stringify(appended));
    ({ position } = appended);
    written = appended.seq;
  }
  await append('a');
  const seqs: number[] = [];
  const ends: Error[] = [];
  const listener = listenRemotely(silent, first, {
    after: 0,
    tell: (update) => void (update.type === 'event' && seqs.push(update.recorded.seq)),
    end: (why) => ends.push(why),
    closing: new AbortController().signal,
    clock,
  });
  return { append, clock, listener, seqs, ends, reads: () => reads };
}

test('[P5] [C153] [O14] a follower that missed the news of a commit finds it by itself', async () => {
  const { append, clock, listener, seqs } = await createScene();
  await expect.poll(() => seqs).toEqual([1]);
  await append('b');
  expect(seqs).toEqual([1]);
  await clock.advance(quietMs);
  expect(seqs).toEqual([1, 2]);
  listener.stop();
  expect(clock.armed).toEqual([]);
});

test('[C153] a follower of a quiet session looks after 5 s, and at last every 15 s', async () => {
  const { append, clock, listener, seqs, reads } = await createScene();
  await clock.advance(3_600_000);
  expect(reads()).toBe(242);
  await append('b');
  await clock.advance(15_000);
  expect(seqs).toEqual([1, 2]);
  listener.stop();
});

test('[P5] [C153] a follower survives reads that fail for a while', async () => {
  let isAway = true;
  const { clock, listener, seqs, ends } = await createScene((read) => (...asked) => {
    if (isAway) return Promise.reject(new Fault('busy', 'The server is away.'));
    return read(...asked);
  });
  await clock.advance(3000);
  expect({ seqs, ends }).toEqual({ seqs: [], ends: [] });
  isAway = false;
  await clock.advance(quietMs);
  expect({ seqs, ends }).toEqual({ seqs: [1], ends: [] });
  listener.stop();
});

test.each([
  ['a store that stays away', new Fault('busy', 'The server is away.'), 6],
  ['a closed store', new Fault('closed', 'The store was closed.'), 1],
])('[C153] %s ends following', async (_, fault, attempts) => {
  const { clock, ends, reads } = await createScene(() => () => Promise.reject(fault));
  await clock.advance(60_000);
  expect({ ends, reads: reads(), armed: clock.armed }).toEqual({ ends: [fault], reads: attempts, armed: [] });
});
