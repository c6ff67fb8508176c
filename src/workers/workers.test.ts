import { describe, expect, test } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { createRondo, type RondoOptions } from '../rondo.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createFakeIds } from '../testing/fake-ids.ts';
import { rondoOfTest } from '../testing/rondo-of-test.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';

const rondoWith = (options: Partial<RondoOptions> = {}) =>
  rondoOfTest(testingAgent({ ids: createFakeIds(), ...options }));

describe('workers', () => {
  test('[C54] are created, listed, renamed and deleted, with events in order', async () => {
    const rondo = await rondoWith();
    const seen: string[] = [];
    rondo.workers.onEvent((event) =>
      seen.push([event.type, 'state' in event ? event.state : ''].join(' ').trim()),
    );
    const ada = await rondo.workers.create('ada');
    const result = await (await ada.run('say Hello there.')).wait();
    expect(result).toEqual({
      job: 'job_000000000001',
      worker: ada.id,
      ending: { type: 'completed' },
      text: 'Hello there.',
      spent: { tokens: 7, outputTokens: 3, cost: 0, toolCalls: 0 },
      session: 'ses_000000000001',
    });
    expect(await ada.rename('eva')).toBe(true);
    expect((await rondo.workers.list()).map(({ name, state }) => [name, state])).toEqual([['eva', 'inactive']]);
    expect(await rondo.workers.delete('eva')).toBe(true);
    expect(await rondo.workers.get('eva')).toBeUndefined();
    expect(await rondo.workers.delete('eva')).toBe(false);
    expect(seen).toEqual([
      'worker-created',
      'job-changed queued',
      'job-changed running',
      'worker-changed working',
      'worker-changed requesting',
      'worker-changed receiving',
      'worker-changed inactive',
      'job-changed completed',
      'worker-renamed',
      'worker-deleted',
    ]);
  });

  test('[C54] a name can be used once, and an unknown agent is refused', async () => {
    const rondo = await rondoWith();
    await rondo.workers.create('ada');
    await expect(rondo.workers.create('ada')).rejects.toThrow(
      'The name ada is taken by worker wrk_000000000001; choose another or use that one.',
    );
    await expect(rondo.workers.create('bob', { agent: 'nobody' })).rejects.toThrow('Unknown agent nobody');
  });

  test('[C54] [C68] deleting a worker cancels its jobs', async () => {
    const rondo = await rondoWith();
    const ada = await rondo.workers.create('ada');
    const [hung, queued] = [await ada.run('hang'), await ada.run('say later')];
    const ends = Promise.all([hung.wait(), queued.wait()]);
    await ada.delete();
    expect((await ends).map(({ ending }) => ending)).toEqual([
      { type: 'cancelled', reason: 'worker ada was deleted' },
      { type: 'cancelled', reason: 'worker ada was deleted' },
    ]);
  });

  test('[C60] a busy worker queues or refuses, and its history is used by the next job', async () => {
    const rondo = await rondoWith();
    const ada = await rondo.workers.create('ada');
    const first = await ada.run('say one');
    await expect(ada.run('say two', {}, { whenBusy: 'refuse' })).rejects.toThrow('has a job already');
    const second = await ada.run('say three');
    const results = [await first.wait(), await second.wait()];
    expect(results.map(({ text, session }) => [text, session])).toEqual([
      ['one', 'ses_000000000001'],
      ['three', 'ses_000000000001'],
    ]);
  });
});

describe('a job', () => {
  test('[C56] is waited for by many, now and afterwards', async () => {
    const rondo = await rondoWith();
    const ada = await rondo.workers.create('ada');
    const job = await ada.run('say done');
    const [a, b] = await Promise.all([job.wait(), job.wait()]);
    expect(a).toEqual(b);
    expect(await job.wait()).toEqual(a);
    expect(await job.state()).toBe('completed');
    expect(await (await rondo.jobs.get(job.id))?.wait()).toEqual(a);
  });

  test('[C58] runs a continuation once for its key, whether added before, during or after the end', async () => {
    const rondo = await rondoWith();
    const ada = await rondo.workers.create('ada');
    const called: string[] = [];
    const job = await ada.run('say done');
    const added = [
      await job.onEnd('before', ({ text }) => called.push(`before ${text}`)),
      await job.onEnd('before', () => called.push('twice')),
    ];
    const during = job.wait().then(() => job.onEnd('during', () => called.push('during')));
    added.push(await during);
    added.push(
      await job.onEnd('after', () => called.push('after')),
      await job.onEnd('after', () => called.push('twice')),
    );
    await expect.poll(() => called.length).toBeGreaterThan(2);
    expect(added).toEqual([true, false, true, true, false]);
    expect(called.toSorted()).toEqual(['after', 'before done', 'during']);
  });

  test('[C57] [C68] that is cancelled ends as cancelled, and its model call and tool are stopped', async () => {
    let stopped = '';
    const tool = testTool('wait', async (_args, { signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      stopped = 'yes';
      return 'late success';
    });
    const rondo = await rondoWith({ tools: [tool] });
    const ada = await rondo.workers.create('ada');
    const states: string[] = [];
    const using = Promise.withResolvers<void>();
    const job = await ada.run('call wait', {
      onState: (state) => states.push(state),
      onWorkerState: (state) => state === 'using-tool' && using.resolve(),
    });
    await using.promise;
    await job.cancel('enough');
    expect((await job.wait()).ending).toEqual({ type: 'cancelled', reason: 'enough' });
    expect({ stopped, states }).toEqual({ stopped: 'yes', states: ['running', 'cancelled'] });
  });

  test('[C57] fails as its turn does', async () => {
    const rondo = await rondoWith();
    const ada = await rondo.workers.create('ada');
    const result = await (await ada.run('fail no network')).wait();
    expect(result.ending).toEqual({ type: 'failed', code: 'model-unavailable', message: 'no network' });
    expect((await ada.status())?.state).toBe('inactive-failed');
  });

  test('[C59] [C76] leaves the list when three newer ones have ended, and its result can still be read', async () => {
    const rondo = await rondoWith();
    const ada = await rondo.workers.create('ada');
    const first = await ada.run('say first');
    for (let one = 0; one < 9; one += 1) await (await ada.run(`say ${one}`)).wait();
    expect((await rondo.jobs.list()).map(({ prompt }) => prompt)).toEqual(['say 6', 'say 7', 'say 8']);
    expect(await rondo.jobs.result(first.id)).toMatchObject({ isDone: true, result: { text: 'first' } });
    expect(await rondo.jobs.result('job_no')).toBeUndefined();
    const hung = await ada.run('hang');
    expect(await rondo.jobs.result(hung.id)).toMatchObject({ isDone: false });
    await rondo.jobs.cancelAll();
    await hung.wait();
  });

  test('[C64] starts after those it waits for', async () => {
    const rondo = await rondoWith();
    const [ada, bob] = [await rondo.workers.create('ada'), await rondo.workers.create('bob')];
    const first = await ada.run('fail it');
    const skipped = await bob.run('say no', {}, { after: [first] });
    const anyway = await bob.run('say yes', {}, { after: [first.id], whenDependencyFails: 'run-anyway' });
    expect((await skipped.wait()).ending.type).toBe('cancelled');
    expect((await anyway.wait()).text).toBe('yes');
  });

  test('asks its host, and streams words to it', async () => {
    const write = testTool('write', () => 'written', { access: 'write' });
    const rondo = await rondoWith({ tools: [write] });
    const ada = await rondo.workers.create('ada');
    const heard: string[] = [];
    const job = await ada.run('call write\nsay all done', {
      onState: (state) => heard.push(state),
      onText: (text) => heard.push(text),
      confirm: async (question) => {
        heard.push(question.about.type);
        return { type: 'allow-once' };
      },
    });
    expect((await job.wait()).text).toBe('all done');
    expect(heard).toEqual(['running', 'waiting', 'approval', 'running', 'all ', 'done', 'completed']);
  });
});

describe('time', () => {
  const stall = { stallMs: 60_000 };

  test('[P9] [C65] the time that a person takes to answer does not count towards the deadline of a job', async () => {
    const clock = createFakeClock();
    const write = testTool('write', () => 'written', { access: 'write' });
    const rondo = await rondoWith({ clock, tools: [write] });
    const worker = await rondo.workers.create('a');
    const job = await worker.run('call write {}\nhang', {}, { timeoutMs: 5000 });
    const asked = async () => (await rondo.questions())[0];
    await expect.poll(asked).toBeDefined();
    await clock.advance(3_600_000);
    const question = await asked();
    expect((await rondo.jobs.list())[0]?.state).toBe('waiting');
    const session = await rondo.sessions.open(question?.session ?? '');
    await session.answer(question?.id ?? '', { type: 'allow-once' });
    await clock.advance(4000);
    expect((await rondo.jobs.list())[0]?.state).toBe('running');
    await clock.advance(2000);
    expect(await job.wait()).toMatchObject({ ending: { type: 'timed-out' } });
  });

  test('[C65] a job that reaches its deadline is timed out, running or queued', async () => {
    const clock = createFakeClock();
    const rondo = await rondoWith({ clock });
    const ada = await rondo.workers.create('ada');
    const running = await ada.run('hang', {}, { timeoutMs: 5000 });
    const queued = await ada.run('hang', {}, { timeoutMs: 4000 });
    await clock.advance(4500);
    expect((await queued.wait()).ending).toEqual({
      type: 'timed-out',
      message: 'Its deadline passed before it could start.',
    });
    await clock.advance(1000);
    expect((await running.wait()).ending).toEqual({
      type: 'timed-out',
      message: 'It reached its deadline after 5000 ms.',
    });
  });

  test('[C65] [C66] a silent job is stalled, with its evidence, and continues on request', async () => {
    const clock = createFakeClock();
    const rondo = await rondoWith({ clock, workers: stall });
    const ada = await rondo.workers.create('ada');
    const job = await ada.run('hang');
    await clock.advance(61_000);
    expect(await job.state()).toBe('stalled');
    const session = await rondo.sessions.open('latest');
    const { events } = await session.events({ after: 0 });
    expect(events.map(({ event }) => event).filter(({ type }) => type === 'verdict-reached')).toEqual([
      {
        type: 'verdict-reached',
        verdict: {
          verdict: 'stuck',
          evidence: 'Nothing came from it for 60 s while it was requesting.',
          action: 'note',
        },
      },
    ]);
    expect(await job.resolve('leave')).toMatchObject({ type: 'marked', job: { state: 'stalled' } });
    expect(await job.resolve('continue')).toMatchObject({ type: 'marked', job: { resume: 'continue' } });
    await clock.advance(100);
    expect(await job.wait()).toMatchObject({
      ending: { type: 'completed' },
      text: 'You said: Go on where you stopped.',
    });
    expect(await job.resolve('continue')).toMatchObject({ type: 'illegal-move', state: 'completed' });
  });

  test('[C66] a stalled job is condensed into a fresh session, or archived', async () => {
    const clock = createFakeClock();
    const rondo = await rondoWith({ clock, workers: stall });
    const [ada, bob] = [await rondo.workers.create('ada'), await rondo.workers.create('bob')];
    const [first, second] = [await ada.run('hang'), await bob.run('hang')];
    await clock.advance(61_000);
    await first.resolve('condense');
    await second.resolve('archive');
    await clock.advance(100);
    const result = await first.wait();
    expect(result.session).toBe('ses_000000000003');
    expect(result.text).toContain('What was done so far:\n- nothing yet');
    expect((await second.wait()).ending).toEqual({ type: 'cancelled', reason: 'archived' });
    expect((await rondo.jobs.list()).map(({ id }) => id)).toEqual([first.id]);
  });

  test('[C66] a stalled job is resumed once if the settings allow it', async () => {
    const clock = createFakeClock();
    const rondo = await rondoWith({ clock, workers: { ...stall, whenStalled: 'continue' } });
    const job = await (await rondo.workers.create('ada')).run('hang');
    await clock.advance(62_000);
    expect((await job.wait()).text).toBe('You said: Go on where you stopped.');
  });
});

describe('liveness', () => {
  test('[P7] a worker that loops is warned and then stopped, each an event with its evidence', async () => {
    const look = testTool('look', () => 'nothing');
    const model = createScriptedModel(
      Array.from({ length: 9 }, () => ({ calls: [{ tool: 'look' }], delayMs: 5 })),
    );
    const rondo = await rondoWith({
      tools: [look],
      models: { testing: model },
      agents: { testing: { model: 'testing', limits: { repeats: 4 } } },
    });
    const result = await (await (await rondo.workers.create('ada')).run('look')).wait();
    const times = (count: number) =>
      `look was called ${count} times with the same arguments and gave the same result.`;
    expect(result.ending).toEqual({
      type: 'failed',
      code: 'looping',
      message: `The turn was stopped as looping: ${times(4)}`,
    });
    const session = await rondo.sessions.open(result.session ?? '');
    const { events } = await session.events({ after: 0 });
    const verdicts = events.flatMap(({ event }) => (event.type === 'verdict-reached' ? [event.verdict] : []));
    expect(verdicts).toEqual([
      { verdict: 'looping', evidence: times(2), action: 'warn' },
      { verdict: 'looping', evidence: times(4), action: 'stop' },
    ]);
    const notices = model.requests.at(-1)?.messages.filter(({ role }) => role === 'notice');
    expect(notices).toEqual([
      {
        role: 'notice',
        text: `You seem to be looping: ${times(2)} Do something else, or say why it cannot be done.`,
      },
    ]);
  });
});

describe('restart', () => {
  test('[P1] [C62] queued jobs are resumed and running ones recovered by another process', async () => {
    const store = createMemoryStore();
    // Never closed, because it crashes.
    const first = await createRondo(testingAgent({ ids: createFakeIds(), store }));
    const ada = await first.workers.create('ada');
    const hung = await ada.run('hang');
    const queued = await ada.run('say later');
    await expect.poll(() => hung.state()).toBe('running');
    store.crash();
    const second = await rondoOfTest({ ...testingAgent(), store: store.another() });
    await second.adopt();
    const again = await second.jobs.get(hung.id);
    await expect
      .poll(async () => (await second.jobs.list()).map(({ state, attempt }) => [state, attempt]))
      .toEqual([
        ['running', 2],
        ['queued', 0],
      ]);
    await again?.cancel();
    expect((await again?.wait())?.ending.type).toBe('cancelled');
    expect((await (await second.jobs.get(queued.id))?.wait())?.text).toBe('later');
  });

  test('[C16] a process that closes leaves its jobs to the next; one asked to cancel waits to its deadline', async () => {
    const store = createMemoryStore();
    const first = await rondoWith({ store });
    const ada = await first.workers.create('ada');
    const hung = await ada.run('hang');
    await expect.poll(() => hung.state()).toBe('running');
    await first.close();
    const second = await createRondo({ ...testingAgent(), store: store.another() });
    await second.adopt();
    await expect
      .poll(() => second.jobs.result(hung.id))
      .toMatchObject({ isDone: false, row: { attempt: 2, lostAttempts: 0 } });
    await second.close({ cancel: true, deadline: 1000 });
    const third = await rondoOfTest({ ...testingAgent(), store: store.another() });
    expect(await third.jobs.result(hung.id)).toMatchObject({
      isDone: true,
      result: { ending: { type: 'cancelled', reason: 'shutdown' } },
    });
  });

  test('[C16] a job that ignores cancel does not hold up the process beyond its deadline, and is left to be resumed', async () => {
    const store = createMemoryStore();
    const deaf = testTool('deaf', () => new Promise<string>(() => undefined));
    const first = await rondoWith({ store, tools: [deaf] });
    const using = Promise.withResolvers<void>();
    const job = await (
      await first.workers.create('ada')
    ).run('call deaf', {
      onWorkerState: (state) => state === 'using-tool' && using.resolve(),
    });
    await using.promise;
    const started = performance.now();
    await first.close({ cancel: true, deadline: 50, endWithin: 100 });
    expect(performance.now() - started).toBeLessThan(1000);
    const row = await store.another().jobs.job(job.id);
    expect([row?.state, row?.owner]).toEqual(['running', undefined]);
  });
});

describe('a list of jobs', () => {
  test('[C64] is launched as a whole or not at all, and its jobs wait for each other by position', async () => {
    const rondo = await rondoWith();
    const [ada, bob] = [
      await rondo.workers.create('ada'),
      await rondo.workers.create('bob', { kind: 'ephemeral' }),
    ];
    await expect(
      rondo.workers.runAll([
        { worker: ada, prompt: 'say one' },
        { worker: bob, prompt: 'say two', after: [2] },
        { worker: bob, prompt: 'say three' },
      ]),
    ).rejects.toThrow('has a job already');
    expect(await rondo.jobs.list({ which: 'all' })).toEqual([]);
    const jobs = await rondo.workers.runAll([
      { worker: bob, prompt: 'say last', after: [1, 2] },
      { worker: ada, prompt: 'say first' },
      { worker: ada, prompt: 'say second', after: [1] },
    ]);
    const results = await Promise.all(jobs.map((job) => job.wait()));
    expect(results.map(({ text }) => text)).toEqual(['last', 'first', 'second']);
  });
});

test('[P6] a job cancelled in another process stops at once, without waiting for the next look', async () => {
  const store = createMemoryStore();
  const workers = { lookEveryMs: 3_600_000 };
  const runner = await rondoWith({ store: store.another(), workers });
  const other = await rondoWith({ store: store.another(), workers });
  const ada = await runner.workers.create('ada');
  const job = await ada.run('hang');
  await expect.poll(() => job.state()).toBe('running');
  expect((await (await other.jobs.get(job.id))?.cancel('from elsewhere'))?.type).toBe('marked');
  expect((await job.wait()).ending).toEqual({ type: 'cancelled', reason: 'from elsewhere' });
});
