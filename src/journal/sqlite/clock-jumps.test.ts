// Sets the clock by days in both directions while processes share a store. Ownership, keys and answers stay the
// same.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, expect, test } from 'vitest';

import { recordProof } from '../../../test/proof/proof-record.ts';
import { claimable, filing, id, newJob, settled, workerRow } from '../../testing/contracts/job-queue-samples.ts';
import { first, keyedRecord, nextOf, record, request, second } from '../../testing/contracts/journal-samples.ts';
import { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
import { wallClock } from '../store-clock.ts';

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

/** Two processes on one store, with one adjustable clock. */
async function place(options: Pick<SqliteStoreOptions, 'isDead' | 'leaseMs'> = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-jumps-'));
  closing.push(() => rm(folder, { recursive: true }));
  let wrongBy = 0;
  const setClock = (byMs: number) => {
    clocksSet += 1;
    wrongBy = byMs;
  };
  runs += 1;
  let slept = 0;
  const clock = {
    ...wallClock,
    now: () => Date.now() + wrongBy + slept,
    uptime: () => wallClock.uptime() + slept,
  };
  const open = async () => {
    const store = await openSqliteStore({ path: path.join(folder, 'store.db'), clock, ...options });
    closing.push(async () => store[Symbol.asyncDispose]());
    return store;
  };
  const sleep = (ms: number) => void (slept += ms);
  return { setClock, sleep, one: await open(), other: await open() };
}

test.each(jumps)(
  '[P4] a session stays with the process that lives, though the clock was set by %i ms',
  async (by) => {
    const { setClock, one, other } = await place();
    await one.journal.append(request(0, [record('a')]));
    for (const jump of [by, 0, -by]) {
      setClock(jump);
      expect(await other.leases.claim(first)).toMatchObject({ type: 'held', owner: one.leases.self });
      const { seq = 0 } = (await one.journal.head(first)) ?? {};
      expect(await one.journal.append(request(seq, [record('b')]))).toMatchObject({
        type: 'appended',
        seq: seq + 1,
      });
    }
  },
);

test('[O5][P4] a lease that stands still for a whole lease is taken once, and never has two writers', async () => {
  // A process on another machine can't be checked; this one doesn't renew.
  const { setClock, sleep, one, other } = await place({ isDead: () => false, leaseMs: 60_000 });
  await one.journal.append(request(0, [record('a')]));
  const lost = nextOf<readonly string[]>((listener) => one.leases.onLost(listener));
  const held = { type: 'held', owner: one.leases.self };
  setClock(2 * day);
  expect(await other.leases.claim(first)).toEqual(held);
  sleep(59_000);
  expect(await other.leases.claim(first)).toEqual(held);
  sleep(2000);
  const answer = await other.leases.claim(first);
  expect(answer).toMatchObject({ type: 'claimed', claim: { epoch: 2, isUnclean: true } });
  const { position } = (answer as Extract<typeof answer, { type: 'claimed' }>).claim;
  expect(await one.journal.append(request(1, [record('late')]))).toMatchObject({ type: 'fenced' });
  expect(await other.journal.append(request(1, [record('b')], { position }))).toMatchObject({ seq: 2 });
  // A process that claims again first learns what was taken from it.
  expect(await one.leases.claim(second)).toMatchObject({ type: 'claimed' });
  expect(await lost).toEqual([first]);
  expect(await one.leases.claim(first)).toEqual({ type: 'held', owner: other.leases.self });
});

test('[O5] a process that slept as long as the owner watches for a whole lease before taking over', async () => {
  const { sleep, one, other } = await place({ isDead: () => false, leaseMs: 60_000 });
  await one.journal.append(request(0, [record('a')]));
  const held = { type: 'held', owner: one.leases.self };
  expect(await other.leases.claim(first)).toEqual(held);
  sleep(8 * 3_600_000);
  expect(await other.leases.claim(first)).toEqual(held);
  expect(one.leases.standing()).toBe('lapsed');
});

test('[O5] an owner is sure of its lease, then unsure, then lapsed, counted from its last renewal', async () => {
  const { sleep, one } = await place({ leaseMs: 60_000 });
  expect(one.leases.standing()).toBe('sure');
  await one.journal.append(request(0, [record('a')]));
  expect(one.leases.standing()).toBe('sure');
  sleep(25_000);
  expect(one.leases.standing()).toBe('unsure');
  sleep(31_000);
  expect(one.leases.standing()).toBe('lapsed');
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
  await one.inbox.withdraw(asked, 'yes');
  setClock(by);
  await one.inbox.withdraw(later, 'no');
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
      // Registers with the store and clears expired entries.
      await other.leases.claim(second);
      expect(await other.jobs.claim(claimable({ at: Date.now() + jump }))).toEqual({
        ended: [],
        runsElsewhere: true,
      });
    }
    expect(await one.jobs.settle({ job: id('1'), attempt: 1 }, settled())).toMatchObject({ type: 'settled' });
  },
);

test('[O5] [O6] the claim and then every renewal say how long children may run: less than the lease', async () => {
  const { one } = await place({ leaseMs: 600 });
  const events: number[] = [];
  one.leases.onRenewed((ms) => events.push(ms));
  await one.journal.append(request(0, [record('a')]));
  await expect.poll(() => events.length).toBeGreaterThan(3);
  expect(events.filter((ms) => ms > 400)).toEqual([]);
});
