import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import {
  claimable,
  filing,
  id,
  newJob,
  settled,
  sampleSpending,
  workerRow,
} from '../testing/contracts/job-queue-samples.ts';
import type { JobRun } from '../ports/job-queue.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const run = (round: number): JobRun => ({
  session: 'ses_w' as SessionId,
  round,
  prompt: 2,
  startedAt: 1000,
  spentBefore: sampleSpending,
});

async function filedBy(store: MemoryStore): Promise<MemoryStore> {
  await store.jobs.enrol(workerRow('a'));
  await store.jobs.file([newJob('1', 'a')], filing);
  return store;
}

test('[C62] attempts in a row that ended with their process count until the job reaches its next prompt', async () => {
  const store = await filedBy(createMemoryStore());
  const counts: (number | undefined)[] = [];
  for (const round of [0, 1, 1, 2]) {
    const seat = store.another();
    const { job } = await seat.jobs.claim(claimable({ maxLostAttempts: 9 }));
    counts.push(job?.lostAttempts);
    if (round > 0)
      await seat.jobs.note({ job: id('1'), attempt: job?.attempt ?? 0 }, { type: 'started', run: run(round) });
    counts.push((await store.jobs.job(id('1')))?.lostAttempts);
    seat.crash();
  }
  expect(counts).toEqual([0, 0, 1, 0, 1, 1, 2, 0]);
});

test('[C62] a job that was lost three times in a row is claimed once more to be given up, and one that was released is not', async () => {
  const store = await filedBy(createMemoryStore());
  const released = store.another();
  await released.jobs.claim(claimable());
  await released[Symbol.asyncDispose]();
  const messages: unknown[] = [];
  for (let time = 0; time < 4; time += 1) {
    const seat = store.another();
    const { job } = await seat.jobs.claim(claimable());
    messages.push([job?.lostAttempts, job?.givenUp]);
    seat.crash();
  }
  expect(messages).toEqual([
    [0, undefined],
    [1, undefined],
    [2, undefined],
    [3, true],
  ]);
});

test('[C62] a cancelled job of a process that is gone is claimed with its cancel, so that its turn ends first', async () => {
  const store = await filedBy(createMemoryStore());
  const seat = store.another();
  await seat.jobs.claim(claimable());
  await store.jobs.cancel(id('1'), { reason: 'no need', at: 1000, keepEnded: 3 });
  seat.crash();
  const { job, ended } = await store.jobs.claim(claimable());
  expect([job?.id, job?.cancel, ended]).toEqual([id('1'), { reason: 'no need' }, []]);
});

test('[C62] a process that looks only for its own jobs leaves lost and overdue jobs of others alone', async () => {
  const store = await filedBy(createMemoryStore());
  await store.jobs.enrol(workerRow('b'));
  await store.jobs.file([newJob('2', 'b', { deadline: 500 as never })], filing);
  const seat = store.another();
  await seat.jobs.claim(claimable({ at: 100 }));
  seat.crash();
  const other = store.another();
  expect(await other.jobs.claim(claimable({ whose: 'own' }))).toEqual({
    ended: [],
    runsElsewhere: false,
  });
  const { job, ended } = await other.jobs.claim(claimable());
  expect([job?.id, ended.map((row) => [row.id, row.state])]).toEqual(['job_1', [['job_2', 'timed-out']]]);
});

test('[C62] a note or an end under an old ticket is lost, and a mark is set once', async () => {
  const store = await filedBy(createMemoryStore());
  const moved = { type: 'moved', to: 'waiting' } as const;
  expect(await store.jobs.note({ job: id('1'), attempt: 0 }, moved)).toEqual({ type: 'lost' });
  await store.jobs.claim(claimable());
  expect(await store.jobs.note({ job: id('1'), attempt: 0 }, moved)).toEqual({ type: 'lost' });
  expect(await store.another().jobs.note({ job: id('1'), attempt: 1 }, moved)).toEqual({ type: 'lost' });
  expect(await store.jobs.note({ job: id('1'), attempt: 1 }, moved)).toMatchObject({ type: 'noted' });
  expect([await store.jobs.mark(id('1'), 'k'), await store.jobs.mark(id('1'), 'k')]).toEqual([true, false]);
  expect(await store.jobs.mark(id('9'), 'k')).toBe(false);
});

test('[C62] only a stalled job is resolved: left, resumed or archived', async () => {
  const store = await filedBy(createMemoryStore());
  await store.jobs.claim(claimable());
  expect(await store.jobs.resolve(id('1'), 'continue')).toEqual({
    type: 'illegal-move',
    state: 'running',
    to: 'running',
    reason: 'only a stalled job can be resolved, and it is running',
  });
  expect(await store.jobs.resolve(id('9'), 'continue')).toEqual({ type: 'not-found' });
  await store.jobs.note({ job: id('1'), attempt: 1 }, { type: 'moved', to: 'stalled' });
  const stalled = await store.jobs.job(id('1'));
  expect(await store.jobs.resolve(id('1'), 'leave')).toEqual({ type: 'marked', job: stalled });
  expect(await store.jobs.resolve(id('1'), 'condense')).toEqual({
    type: 'marked',
    job: { ...stalled, resume: 'condense' },
  });
  const archived = { ...stalled, cancel: { reason: 'archived' }, archived: true };
  expect(await store.jobs.resolve(id('1'), 'archive')).toEqual({ type: 'marked', job: archived });
  expect(await store.jobs.jobs({ which: 'listed' })).toEqual([]);
  const { owner: _, ...rest } = archived;
  const ending = { type: 'cancelled', reason: 'archived' };
  expect(await store.jobs.settle({ job: id('1'), attempt: 1 }, settled())).toEqual({
    type: 'settled',
    ended: [{ ...rest, state: 'cancelled', ending, endedAt: 2000, spent: sampleSpending }],
  });
});

test('[C62] a stalled job that ends by itself was running after all', async () => {
  const store = await filedBy(createMemoryStore());
  await store.jobs.claim(claimable());
  await store.jobs.note({ job: id('1'), attempt: 1 }, { type: 'moved', to: 'stalled' });
  expect(await store.jobs.settle({ job: id('1'), attempt: 1 }, settled())).toMatchObject({
    type: 'settled',
    ended: [{ id: 'job_1', state: 'completed' }],
  });
});
