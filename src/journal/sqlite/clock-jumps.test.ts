// The time of day is set by days, ahead and back, while processes share a store: who owns what, what a key stands for
// and who gets an answer is not changed by it.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, expect, test } from 'vitest';

import { recordProof } from '../../../test/proof/proof-record.ts';
import { claimable, filing, id, newJob, settled, workerRow } from '../../testing/contracts/job-queue-samples.ts';
import { first, keyedRecord, nextOf, record, request, second } from '../../testing/contracts/journal-samples.ts';
import { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
import { wallClock } from './store-clock.ts';

const day = 86_400_000;
const jumps = [2 * day, -2 * day];
const closing: (() => Promise<void>)[] = [];
let clocksSet = 0;
let runs = 0;
afterAll(() =>
  recordProof({ name: 'clock set beside owners, keys and answers', runs, faults: { 'clock set': clocksSet } }),
);
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Two processes on one store, with one clock that can be set. */
async function place(options: Pick<SqliteStoreOptions, 'isGone' | 'leaseMs'> = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-jumps-'));
  closing.push(() => rm(folder, { recursive: true }));
  let wrongBy = 0;
  const setClock = (byMs: number) => {
    clocksSet += 1;
    wrongBy = byMs;
  };
  runs += 1;
  const clock = { ...wallClock, now: () => Date.now() + wrongBy };
  const open = async () => {
    const store = await openSqliteStore({ path: path.join(folder, 'store.db'), clock, ...options });
    closing.push(async () => store[Symbol.asyncDispose]());
    return store;
  };
  return { setClock, one: await open(), other: await open() };
}

test.each(jumps)(
  '[P4] a session stays with the process that lives, though the clock was set by %i ms',
  async (by) => {
    const { setClock, one, other } = await place({ leaseMs: 150 });
    await one.journal.append(request(0, [record('a')]));
    expect(await one.leases.claim(first)).toMatchObject({ type: 'claimed', epoch: 1 });
    for (const jump of [by, 0, -by]) {
      setClock(jump);
      expect(await other.leases.claim(first)).toMatchObject({ type: 'held', owner: one.leases.self });
      const { seq = 0 } = (await one.journal.head(first)) ?? {};
      expect(await one.journal.append(request(seq, [record('b')]))).toEqual({ type: 'appended', seq: seq + 1 });
    }
  },
);

test('[P4] where a jump lets the lease of another machine lapse, the session changes hands once and never has two writers', async () => {
  // Nobody can look whether a process of another machine lives.
  const { setClock, one, other } = await place({ isGone: (_owner, { isLapsed }) => isLapsed, leaseMs: 3000 });
  await one.journal.append(request(0, [record('a')]));
  const lost = nextOf<readonly string[]>((listener) => one.leases.onLost(listener));
  setClock(2 * day);
  const claim = await other.leases.claim(first);
  expect(claim).toMatchObject({ type: 'claimed', epoch: 2, previous: one.leases.self });
  expect(await one.journal.append(request(1, [record('late')]))).toMatchObject({ type: 'fenced' });
  expect(await other.journal.append(request(1, [record('b')], { epoch: 2 }))).toEqual({
    type: 'appended',
    seq: 2,
  });
  expect(await lost).toEqual([first]);
  setClock(0);
  expect(await one.leases.claim(first)).toMatchObject({ type: 'held', owner: other.leases.self });
});

test.each(jumps)('a key stands for what it was first used for, though the clock was set by %i ms', async (by) => {
  const { setClock, one } = await place();
  await one.journal.append(request(0, [keyedRecord('prompt', 'k1')]));
  const creation = { key: 'create', digest: 'd' };
  await one.journal.append(request(0, [record('a')], { session: second, creation }));
  setClock(by);
  expect(await one.journal.append(request(1, [keyedRecord('prompt', 'k1')]))).toMatchObject({ seq: 1 });
  expect((await one.journal.head(first))?.seq).toBe(1);
  expect(await one.journal.createdWith('create')).toEqual({ session: second, digest: 'd' });
});

test.each(jumps)('an answer is there for who waits for it, though the clock was set by %i ms', async (by) => {
  const { setClock, one, other } = await place();
  const asked = await other.inbox.put(first, { key: 'a', body: 'one' });
  const later = await other.inbox.put(first, { key: 'b', body: 'two' });
  await one.inbox.settle(asked, 'yes');
  setClock(by);
  await one.inbox.settle(later, 'no');
  expect([
    await other.inbox.answerTo(asked, { timeoutMs: 10_000 }),
    await other.inbox.answerTo(later, { timeoutMs: 10_000 }),
  ]).toEqual(['yes', 'no']);
});

test.each(jumps)(
  '[O12] a job stays with the process that lives, though the clock was set by %i ms',
  async (by) => {
    const { setClock, one, other } = await place({ leaseMs: 150 });
    await one.jobs.enrol(workerRow('a'));
    await one.jobs.file([newJob('1', 'a')], filing);
    expect(await one.jobs.claim(claimable())).toMatchObject({ job: { id: 'job_1', attempt: 1 } });
    for (const jump of [by, 0, -by]) {
      setClock(jump);
      // It becomes known to the store, and clears away what is over.
      await other.leases.claim(second);
      expect(await other.jobs.claim(claimable({ at: Date.now() + jump }))).toEqual({
        ended: [],
        runsElsewhere: true,
      });
    }
    expect(await one.jobs.settle({ job: id('1'), attempt: 1 }, settled())).toMatchObject({ type: 'settled' });
  },
);
