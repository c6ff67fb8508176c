// A job belongs to the process that claimed it: no clock change takes it away, and a job's end also ends its turn.
import { expect, test } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import { Fault } from '../kernel/fault.ts';
import type { Store } from '../ports/store.ts';
import { createRondo, type Rondo, type RondoOptions } from '../rondo.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createFakeIds } from '../testing/fake-ids.ts';
import { rondoOfTest } from '../testing/rondo-of-test.ts';
import { testingAgent } from '../testing/testing-agent.ts';

const rondoWith = (options: Partial<RondoOptions>) =>
  rondoOfTest(testingAgent({ ids: createFakeIds(), ...options }));

/** An instance whose process dies in the test, so it can't be closed. */
const crashing = (options: Partial<RondoOptions>) =>
  createRondo(testingAgent({ ids: createFakeIds(), ...options }));

async function endingIn(rondo: Rondo): Promise<unknown> {
  const { events } = await (await rondo.sessions.open('latest')).events({ after: 0 });
  return events.flatMap(({ event }) => (event.type === 'turn-ended' ? [event.ending] : [])).at(-1);
}

test('[O12] [P4] a clock step and a long sleep leave a healthy job running, not a dead letter', async () => {
  const store = createMemoryStore();
  const clock = createFakeClock();
  const workers = { maxLostAttempts: 1, stallMs: 365 * 86_400_000 };
  const runner = await rondoWith({ store: store.another(), workers, clock });
  const other = await rondoWith({ store: store.another(), workers, clock });
  const job = await (await runner.workers.create('ada')).run('hang');
  await expect.poll(() => job.state()).toBe('running');
  await other.adopt();
  clock.set(3_600_000);
  await clock.advance(60_000);
  expect(await other.jobs.list()).toMatchObject([{ id: job.id, state: 'running', attempt: 1, lostAttempts: 0 }]);
  expect(await other.jobs.deadLetters()).toEqual([]);
  await job.cancel('enough');
  expect((await job.wait()).ending).toEqual({ type: 'cancelled', reason: 'enough' });
});

test('[O5] [C65] a clock that is set back puts off no deadline of a running job', async () => {
  const clock = createFakeClock({ now: 1_800_000_000_000 });
  const rondo = await rondoWith({ clock });
  const job = await (await rondo.workers.create('ada')).run('hang', undefined, { timeoutMs: 60_000 });
  await expect.poll(() => job.state()).toBe('running');
  await clock.advance(10_000);
  clock.set(-86_400_000);
  await clock.advance(60_000);
  expect(await job.state()).toBe('timed-out');
});

test('[O5] [O12] [C65] setting the clock forward ends no queued or handed-over job early', async () => {
  const clock = createFakeClock({ now: 1_800_000_000_000 });
  const store = createMemoryStore();
  const rondo = await rondoWith({ store: store.another(), clock });
  const ada = await rondo.workers.create('ada');
  const running = await ada.run('hang', undefined, { timeoutMs: 60_000 });
  const queued = await ada.run('say hello', undefined, { timeoutMs: 120_000 });
  await expect.poll(() => running.state()).toBe('running');
  clock.set(3_600_000);
  await clock.advance(10_000);
  expect([await running.state(), await queued.state()]).toEqual(['running', 'queued']);
  await rondo.close();
  const next = await rondoWith({ store: store.another(), clock });
  await next.adopt();
  await clock.advance(40_000);
  expect((await store.jobs.job(running.id))?.state).toBe('running');
  await clock.advance(10_000);
  expect((await store.jobs.job(running.id))?.state).toBe('timed-out');
  await clock.advance(1000);
  expect((await store.jobs.job(queued.id))?.state).toBe('completed');
});

test("[O5] [C65] setting the clock forward doesn't stall an active job", async () => {
  const clock = createFakeClock({ now: 1_800_000_000_000 });
  const rondo = await rondoWith({ clock, workers: { stallMs: 60_000 } });
  const job = await (await rondo.workers.create('ada')).run('hang');
  await expect.poll(() => job.state()).toBe('running');
  await clock.advance(10_000);
  await (await rondo.sessions.open('latest')).send({ type: 'limits', limits: { steps: 100 } });
  await clock.advance(10_000);
  clock.set(3_600_000);
  await clock.advance(45_000);
  expect(await job.state()).toBe('running');
  await clock.advance(10_000);
  expect(await job.state()).toBe('stalled');
});

/** A job whose process crashed while it ran, and which may not be lost again. */
async function crashedJob() {
  const store = createMemoryStore();
  const seat = store.another();
  const dying = await crashing({ store: seat, workers: { maxLostAttempts: 1 } });
  const job = await (await dying.workers.create('ada')).run('hang');
  await expect.poll(async () => (await store.jobs.job(job.id))?.run).toBeDefined();
  seat.crash();
  return { store, job };
}

test('[O12] a dead letter ends its turn, which would otherwise continue', async () => {
  const { store, job } = await crashedJob();
  const next = await rondoWith({ store: store.another(), workers: { maxLostAttempts: 1 } });
  await next.adopt();
  await expect.poll(async () => (await next.jobs.deadLetters()).map(({ id }) => id)).toEqual([job.id]);
  await expect.poll(() => endingIn(next)).toEqual({ type: 'cancelled', reason: 'its job has ended' });
});

test('[O12] a crash between giving a job up and ending its turn leaves both to the next process', async () => {
  const { store, job } = await crashedJob();
  const second = store.another();
  const claim = {
    at: 1,
    uptime: 1,
    limits: { running: 9, perProvider: 9 },
    whose: 'all',
    maxLostAttempts: 1,
    keepEnded: 3,
  } as const;
  expect((await second.jobs.claim(claim)).job).toMatchObject({ id: job.id, givenUp: true, state: 'running' });
  second.crash();
  const next = await rondoWith({ store: store.another(), workers: { maxLostAttempts: 1 } });
  await next.adopt();
  await expect.poll(async () => (await next.jobs.deadLetters()).map(({ id }) => id)).toEqual([job.id]);
  expect(await endingIn(next)).toEqual({ type: 'cancelled', reason: 'its job has ended' });
});

test('[O12] a prompt that its process sent and did not live to note ends with its cancelled job', async () => {
  const store = createMemoryStore();
  const seat = store.another();
  const mute = { ...seat, jobs: { ...seat.jobs, note: () => new Promise<never>(() => {}) } };
  const dying = await crashing({ store: mute });
  const job = await (await dying.workers.create('ada')).run('hang');
  await expect
    .poll(async () => (await store.journal.list({})).entries.map(({ state }) => state))
    .toEqual(['running']);
  seat.crash();
  expect((await store.jobs.job(job.id))?.run).toBeUndefined();
  await store.jobs.cancel(job.id, { at: 1, keepEnded: 3, reason: 'enough' });
  const next = await rondoWith({ store: store.another() });
  await next.adopt();
  await expect.poll(async () => (await store.jobs.job(job.id))?.state).toBe('cancelled');
  expect(await endingIn(next)).toEqual({ type: 'cancelled', reason: 'enough' });
});

test('[O12] a store that fails while a job is settled leaves no job running forever', async () => {
  const store = createMemoryStore();
  const seat = store.another();
  let failures = 2;
  const settle: typeof seat.jobs.settle = (...given) => {
    failures -= 1;
    return failures < 0 ? seat.jobs.settle(...given) : Promise.reject(new Fault('disk-full', 'The disk is full.'));
  };
  const rondo = await rondoWith({
    store: { ...seat, jobs: { ...seat.jobs, settle } },
    workers: { lookEveryMs: 10 },
  });
  const job = await (await rondo.workers.create('ada')).run('say hello');
  expect(await job.wait()).toMatchObject({ ending: { type: 'completed' }, text: 'hello' });
});

test('[O12] a job that was cancelled and then lost with its process ends its turn', async () => {
  const store = createMemoryStore();
  const seat = store.another();
  const dying = await crashing({ store: seat });
  const job = await (await dying.workers.create('ada')).run('hang');
  await expect.poll(async () => (await store.jobs.job(job.id))?.run).toBeDefined();
  seat.crash();
  await store.jobs.cancel(job.id, { at: 1, keepEnded: 3, reason: 'enough' });
  const next = await rondoWith({ store: store.another() });
  await next.adopt();
  await expect.poll(async () => (await store.jobs.job(job.id))?.state).toBe('cancelled');
  await expect.poll(() => endingIn(next)).toEqual({ type: 'cancelled', reason: 'enough' });
});

test('[O12] a stalled job that another process archives ends its turn where it runs', async () => {
  const store = createMemoryStore();
  const runner = await rondoWith({ store: store.another(), workers: { stallMs: 50 } });
  const other = await rondoWith({ store: store.another() });
  const job = await (await runner.workers.create('ada')).run('hang');
  await expect.poll(() => job.state()).toBe('stalled');
  expect((await (await other.jobs.get(job.id))?.resolve('archive'))?.type).toBe('marked');
  await expect.poll(() => endingIn(runner)).toEqual({ type: 'cancelled', reason: 'archived' });
  expect((await job.wait()).ending).toEqual({ type: 'cancelled', reason: 'archived' });
});

test('[O12] [C66] a stalled job that was archived and lost with its process before its turn ended, ends its turn', async () => {
  const store = createMemoryStore();
  const seat = store.another();
  const dying = await crashing({ store: seat, workers: { stallMs: 50 } });
  const job = await (await dying.workers.create('ada')).run('hang');
  await expect.poll(() => job.state()).toBe('stalled');
  // It dies before it hears of it.
  seat.crash();
  await store.jobs.resolve(job.id, 'archive');
  const next = await rondoWith({ store: store.another() });
  await next.adopt();
  await expect.poll(() => endingIn(next)).toEqual({ type: 'cancelled', reason: 'archived' });
  await expect.poll(async () => (await store.jobs.job(job.id))?.state).toBe('cancelled');
  expect(await next.jobs.list()).toEqual([]);
});

test('[O12] [C16] a process that closes fails no job that has yet to open its session: the next one runs it', async () => {
  const store = createMemoryStore();
  const seat = store.another();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let [isWatching, isSlow] = [false, false];
  const claim: typeof seat.jobs.claim = async (request) => {
    const result = await seat.jobs.claim(request);
    isSlow = isWatching && result.job !== undefined;
    return result;
  };
  const worker: typeof seat.jobs.worker = async (id) => {
    if (isSlow) {
      asked.resolve();
      await answered.promise;
    }
    return seat.jobs.worker(id);
  };
  const first = await crashing({ store: { ...seat, jobs: { ...seat.jobs, claim, worker } } });
  const ada = await first.workers.create('ada');
  await (await ada.run('say hello')).wait();
  await (await first.sessions.open('latest')).close();
  isWatching = true;
  const job = await ada.run('say once more');
  await asked.promise;
  const closing = first.close({ deadline: 1000 });
  answered.resolve();
  await closing;
  expect((await store.jobs.job(job.id))?.state).toBe('running');
  const next = await rondoWith({ store: store.another() });
  await next.adopt();
  await expect.poll(async () => (await store.jobs.job(job.id))?.state).toBe('completed');
});

test('[O12] [C16] waiting for a job reports that its process closed before the job ended', async () => {
  const store = createMemoryStore();
  const rondo = await rondoWith({ store: store.another() });
  const job = await (await rondo.workers.create('ada')).run('hang');
  const waiting = job.wait().catch((error: unknown) => String(error));
  await rondo.close();
  expect(await waiting).toBe(
    `Fault: Rondo was closed in this process before job ${job.id} ended; \`rondo jobs\` shows how it stands.`,
  );
  expect((await store.jobs.job(job.id))?.state).toBe('running');
});

test('[O14] a job that ended or was cancelled elsewhere is noticed, even if the look at it failed', async () => {
  const store = createMemoryStore();
  const runnerSeat = store.another();
  const otherSeat = store.another();
  const away = { runner: 0, other: 0 };
  const failing = (seat: Store, who: keyof typeof away): Store => {
    const read = <Value>(value: () => Promise<Value>): Promise<Value> => {
      away[who] -= 1;
      return away[who] >= 0 ? Promise.reject(new Fault('busy', 'Not now.')) : value();
    };
    const { jobs } = seat;
    return {
      ...seat,
      jobs: { ...jobs, job: (id) => read(() => jobs.job(id)), jobs: (query) => read(() => jobs.jobs(query)) },
    };
  };
  const workers = { lookEveryMs: 200 };
  const runner = await rondoWith({ store: failing(runnerSeat, 'runner'), workers });
  const other = await rondoWith({ store: failing(otherSeat, 'other'), workers });
  const job = await (await runner.workers.create('ada')).run('hang');
  await expect.poll(() => job.state()).toBe('running');
  const there = await other.jobs.get(job.id);
  const waited = there?.wait();
  await new Promise((resolve) => setTimeout(resolve, 300));
  away.other = 1;
  away.runner = 1;
  await runnerSeat.jobs.cancel(job.id, { at: Date.now(), keepEnded: 10, reason: 'enough' });
  expect((await waited)?.ending).toEqual({ type: 'cancelled', reason: 'enough' });
});

test('[O12] a job whose parent was removed before it learned of the job is cancelled, and all others run', async () => {
  const ids = createFakeIds();
  const store = createMemoryStore();
  const seat = store.another();
  const file: Store['jobs']['file'] = async (...given) => {
    await seat.jobs.file(...given);
    seat.crash();
    return new Promise<never>(() => {});
  };
  const dying = await crashing({
    store: { ...seat, jobs: { ...seat.jobs, file } },
    workers: { delegate: true },
    ids,
  });
  const parent = await dying.sessions.create();
  const workers = [{ name: 'ada', objective: 'say hello' }];
  void parent.chat(`call delegate ${JSON.stringify({ workers })}`).catch(() => undefined);
  await expect.poll(async () => (await store.jobs.jobs()).length).toBe(1);
  const answer = await store.leases.claim(parent.id);
  if (answer.type !== 'claimed') throw new Error('It is held.');
  const seen = { epoch: answer.claim.epoch, seq: (await store.journal.head(parent.id))?.seq ?? 0 };
  expect(await store.upkeep.remove(parent.id, seen, { family: [parent.id] })).toBe('done');
  const other = await rondoWith({ store: store.another(), ids });
  const job = await (await other.workers.create('grace')).run('say hello');
  expect((await job.wait()).ending).toEqual({ type: 'completed' });
  const next = await rondoWith({ store: store.another(), ids });
  await next.adopt();
  expect((await store.jobs.jobs({ which: 'all' })).map(({ state, ending }) => [state, ending])).toEqual([
    ['cancelled', { type: 'cancelled', reason: 'the session it works for was removed' }],
    ['completed', { type: 'completed' }],
  ]);
});

test('[O12] [P1] a job whose session can’t be read for a moment goes on instead of failing', async () => {
  const store = createMemoryStore();
  const seat = store.another();
  let failures = 0;
  const head: Store['journal']['head'] = (session) => {
    failures -= 1;
    return failures >= 0 ? Promise.reject(new Fault('busy', 'Not now.')) : seat.journal.head(session);
  };
  const rondo = await rondoWith({
    store: { ...seat, journal: { ...seat.journal, head } },
    workers: { lookEveryMs: 10 },
  });
  const ada = await rondo.workers.create('ada');
  await (await ada.run('say first')).wait();
  await (await rondo.sessions.open('latest')).close();
  failures = 2;
  expect(await (await ada.run('say hello')).wait()).toMatchObject({
    ending: { type: 'completed' },
    text: 'hello',
  });
  expect(failures).toBeLessThan(0);
});

test('[O12] a prompt that a former owner sends while its job ends elsewhere is ended too', async () => {
  const store = createMemoryStore();
  const [first, second] = [store.another(), store.another()];
  const sending = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  const append: Store['journal']['append'] = async (request) => {
    if (JSON.stringify(request.records).includes('prompt-received')) {
      sending.resolve();
      await sent.promise;
    }
    return first.journal.append(request);
  };
  const late = {
    ...first,
    journal: { ...first.journal, append },
    // It stops right after the prompt.
    jobs: { ...first.jobs, note: () => new Promise<never>(() => {}) },
  };
  const former = await crashing({ store: late });
  const job = await (await former.workers.create('ada')).run('hang');
  await sending.promise;
  await store.jobs.cancel(job.id, { at: 1, keepEnded: 3, reason: 'enough' });
  const settle: typeof second.jobs.settle = async (...given) => {
    sent.resolve();
    await expect.poll(async () => (await store.journal.list({ state: 'running' })).entries).toHaveLength(1);
    return second.jobs.settle(...given);
  };
  first.lapse();
  const next = await rondoWith({ store: { ...second, jobs: { ...second.jobs, settle } } });
  await next.adopt();
  await expect.poll(async () => (await store.jobs.job(job.id))?.state).toBe('cancelled');
  await expect.poll(() => endingIn(next)).toEqual({ type: 'cancelled', reason: 'its job has ended' });
});
