import { describe, expect, test } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import type { Event } from '../kernel/event.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { createRondo, type RondoOptions } from '../rondo.ts';
import type { Session } from '../session/handle/session.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createFakeIds } from '../testing/fake-ids.ts';
import { rondoOfTest } from '../testing/rondo-of-test.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import { usageReportOf } from '../views/usage-report.ts';

const rondoWith = (options: Partial<RondoOptions> = {}) =>
  rondoOfTest(testingAgent({ ids: createFakeIds(), workers: { delegate: true }, ...options }));

async function eventsOf<Type extends Event['type']>(
  session: Session,
  type: Type,
): Promise<readonly Extract<Event, { type: Type }>[]> {
  const { events } = await session.events({ after: 0, limit: 1000 });
  return events.flatMap(({ event }) => (event.type === type ? [event as Extract<Event, { type: Type }>] : []));
}
const delegate = (args: object) => `call delegate ${JSON.stringify(args)}`;
const worker = (name: string, objective: string, more: object = {}) => ({ name, objective, ...more });

describe('the three kinds of sub-agent', () => {
  test('[C72] an ephemeral one has one task and no history; a persistent one remembers', async () => {
    const rondo = await rondoWith();
    const parent = await rondo.sessions.create();
    await parent.persist();
    const brief = await rondo.workers.create('brief', { kind: 'ephemeral', parent: parent.id });
    const lasting = await rondo.workers.create('lasting', { kind: 'persistent', parent: parent.id });
    const once = await (await brief.run('say one')).wait();
    await expect(brief.run('say two')).rejects.toThrow('there is no worker');
    expect(await rondo.workers.get('brief', { parent: parent.id })).toBeUndefined();
    expect(await rondo.sessions.get(once.session ?? '')).toBeDefined();

    const [first, second] = [await (await lasting.run('say a')).wait(), await (await lasting.run('say b')).wait()];
    expect(second.session).toBe(first.session);
    const turns = await eventsOf(await rondo.sessions.open(first.session ?? ''), 'turn-started');
    expect(turns.length).toBe(2);
  });

  test('[C72] a system one has no limit of time, leaves a snapshot after its jobs and is there again after a restart', async () => {
    const store = createMemoryStore();
    const ids = createFakeIds();
    const first = await rondoWith({ store, ids });
    const parent = await first.sessions.create();
    await parent.persist();
    const keeper = await first.workers.create('keeper', { kind: 'system', parent: parent.id });
    let session: string | undefined;
    // Snapshots start at 128 events.
    for (let round = 0; round < 30; round += 1)
      ({ session } = await (await keeper.run(`say round ${round}`)).wait());
    const row = (await first.jobs.list())[0];
    expect(row?.deadline).toBeUndefined();
    expect(await store.journal.loadSnapshot(session as never)).toBeDefined();
    await first.close();

    const second = await rondoWith({ store: store.another(), ids });
    await second.adopt();
    const again = await second.workers.get('keeper', { parent: parent.id });
    const next = await (await again?.run('say still here'))?.wait();
    expect(next).toMatchObject({ session, text: 'still here' });
  });

  test('[C73] starts 10 of 20 workers spawned at once; an ended one makes room', async () => {
    const rondo = await rondoWith({ workers: { limits: { running: 50, perProvider: 50 } } });
    const parent = await rondo.sessions.create();
    await parent.persist();
    const workers = await Promise.all(
      Array.from({ length: 20 }, (_, one) => rondo.workers.create(`w${one}`, { parent: parent.id })),
    );
    const spawned = await Promise.allSettled(workers.map((one) => one.run('hang')));
    expect(spawned.filter(({ status }) => status === 'fulfilled').length).toBe(10);
    const refused = spawned.find((one) => one.status === 'rejected');
    expect(String(refused?.reason)).toContain('has 0 of its 10 places for live workers left; wait for one to end');
    expect((await parent.status()).workers.length).toBe(10);

    const job = spawned.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))[0];
    await job?.cancel();
    await job?.wait();
    const late = await rondo.workers.create('late', { parent: parent.id });
    expect((await (await late.run('say room')).wait()).text).toBe('room');
    await rondo.jobs.cancelAll();
  });

  test('[C45] a worker may have workers only where allowed, and only to a depth', async () => {
    const rondo = await rondoWith({ workers: { maxDepth: 1 } });
    const parent = await rondo.sessions.create();
    await parent.persist();
    const plain = await rondo.workers.create('plain', { parent: parent.id });
    const lead = await rondo.workers.create('lead', { parent: parent.id, maySpawn: true });
    const [below, deep] = [await (await plain.run('say hi')).wait(), await (await lead.run('say hi')).wait()];
    await expect(rondo.workers.create('x', { parent: below.session as never })).rejects.toThrow(
      "Can't create a worker: Worker plain can't have workers. Do the work in it, or set maySpawn.",
    );
    await expect(rondo.workers.create('x', { parent: deep.session as never })).rejects.toThrow(
      "Can't create a worker: Worker lead is 1 deep, and workers may be 1 deep; do the work in it.",
    );
  });
});

describe('delegate', () => {
  test('[C63] [C77] waits for several workers in order of their dependencies and returns each reply', async () => {
    const rondo = await rondoWith();
    const session = await rondo.sessions.create();
    const reply = await session.chat(
      delegate({
        workers: [
          worker('second', 'say two', { after: ['first'] }),
          worker('first', 'say one', { role: 'a careful counter' }),
          worker('third', 'fail it'),
        ],
      }),
    );
    expect(reply.text).toBe(
      'delegate (success): ## second: completed\ntwo\n\n' +
        '## first: completed\nYou said: You are a careful counter.\n\nsay one\n\n' +
        '## third: failed (model-unavailable: it)\n',
    );
    const reports = (await eventsOf(session, 'worker-reported')).map(({ report }) => report.state);
    expect(reports.filter((state) => state !== 'progressed').toSorted()).toEqual([
      'completed',
      'completed',
      'failed',
      'spawned',
      'spawned',
      'spawned',
    ]);
    expect(await rondo.workers.list({ parent: session.id })).toEqual([]);
  });

  test('[C63] returns the jobs at once with wait: false; their endings are reported', async () => {
    const rondo = await rondoWith();
    const session = await rondo.sessions.create();
    const reply = await session.chat(delegate({ workers: [worker('a', 'say one')], wait: false }));
    expect(reply.text).toBe('delegate (success): a: started as job job_000000000001');
    await (await rondo.jobs.get('job_000000000001'))?.wait();
    expect((await eventsOf(session, 'worker-reported')).at(-1)?.report).toMatchObject({
      state: 'completed',
      text: 'one',
    });
  });

  test.for<{ why: string; args: object; message: string }>([
    { why: 'no workers', args: {}, message: 'delegate needs "workers": a list of {name, objective}.' },
    {
      why: 'no objective',
      args: { workers: [{ name: 'a' }] },
      message: 'Worker 1 needs a "name" and an "objective"',
    },
    {
      why: 'too many',
      args: { workers: Array.from({ length: 11 }, (_, one) => worker(`w${one}`, 'x')) },
      message: 'delegate takes 10 workers at most, not 11.',
    },
    {
      why: 'one name twice',
      args: { workers: [worker('a', 'x'), worker('a', 'y')] },
      message: 'Two workers have the name a.',
    },
    {
      why: 'an unknown dependency',
      args: { workers: [worker('a', 'x', { after: ['b'] })] },
      message: 'a waits for b, which is not in the list.',
    },
    {
      why: 'a cycle',
      args: { workers: [worker('a', 'x', { after: ['b'] }), worker('b', 'y', { after: ['a'] })] },
      message: 'These workers wait for each other in a circle: a, b.',
    },
  ])('[C63] [C64] is refused with $why', async ({ args, message }) => {
    const rondo = await rondoWith();
    const session = await rondo.sessions.create();
    expect((await session.chat(delegate(args))).text).toContain(message);
  });

  test('[C63] lists what could not start beside what did', async () => {
    const rondo = await rondoWith();
    const session = await rondo.sessions.create();
    const reply = await session.chat(
      delegate({
        workers: [
          worker('good', 'say fine'),
          worker('bad', 'say x', { agent: 'nobody' }),
          worker('behind', 'say y', { after: ['bad'] }),
        ],
      }),
    );
    expect(reply.text).toBe(
      'delegate (success): ## good: completed\nfine\n\n' +
        '## bad: not started\nUnknown agent nobody for worker bad; `rondo agents` lists them.\n\n' +
        '## behind: not started\nit waits for bad, which could not start',
    );
  });

  test('[C77] [C45] the worker inherits the policy and fewer tools: what is denied above stays denied below', async () => {
    const ran: string[] = [];
    const tools = ['look', 'write'].map((name) =>
      testTool(
        name,
        () => {
          ran.push(name);
          return 'ok';
        },
        name === 'write' ? { access: 'write' } : {},
      ),
    );
    const rondo = await rondoWith({ tools });
    const session = await rondo.sessions.create({
      rules: [{ verdict: 'deny', tool: 'write', origin: 'flag' }] as never,
    });
    const reply = await session.chat(
      delegate({
        workers: [
          worker('denied', 'call write {}'),
          worker('narrow', 'call look {}', { tools: ['write'] }),
          worker('nested', delegate({ workers: [worker('x', 'say x')] })),
        ],
      }),
    );
    expect(ran).toEqual([]);
    expect(reply.text).toContain('write (refused)');
    expect(reply.text).toContain('look (refused): This agent may not use the tool look.');
    expect(reply.text).toContain('There is no tool delegate.');
  });

  test('[C63] a worker that waits for its own workers takes no place among those that run', async () => {
    const rondo = await rondoWith({ workers: { delegate: true, limits: { running: 1, perProvider: 1 } } });
    const session = await rondo.sessions.create();
    const nested = delegate({ workers: [worker('a', 'say a'), worker('b', 'say b')] });
    const reply = await session.chat(delegate({ workers: [worker('child', nested, { maySpawn: true })] }));
    expect(reply.text).toContain('## a: completed\na\n\n## b: completed\nb');
  });

  test('[P6] [C68] cancelling the tree of a session reaches workers that it did not wait for', async () => {
    const rondo = await rondoWith();
    const session = await rondo.sessions.create();
    await session.chat(delegate({ workers: [worker('a', 'hang'), worker('b', 'hang')], wait: false }));
    await rondo.jobs.cancelTree(session.id, 'enough');
    await until(async () => (await session.status()).workers.length === 0);
    const ended = (await eventsOf(session, 'worker-reported')).filter(
      ({ report }) => report.state === 'cancelled',
    );
    expect(ended.map(({ report }) => report.text)).toEqual(['enough', 'enough']);
  });

  test('[P6] [C6] an interrupt of the parent reaches children and grandchildren, and each end is recorded', async () => {
    const rondo = await rondoWith();
    const session = await rondo.sessions.create();
    const nested = delegate({ workers: [worker('grandchild', 'hang')] });
    const workers = [worker('child', nested, { maySpawn: true })];
    const turn = session.chat(delegate({ workers }), { whenAsked: 'wait' });
    await until(async () => {
      const states = (await rondo.jobs.list()).map(({ state, run }) => (run === undefined ? 'new' : state));
      return states.join(' ') === 'waiting running';
    });
    await session.interrupt('stop it all');
    expect((await turn).outcome).toBe('cancelled');
    await until(async () => (await rondo.jobs.list({ which: 'active' })).length === 0);
    const all = await rondo.jobs.list({ which: 'all' });
    expect(all.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    for (const { run } of all) {
      const ends = await eventsOf(await rondo.sessions.open(run?.session ?? ''), 'turn-ended');
      expect(ends.map(({ ending }) => ending.type)).toEqual(['cancelled']);
    }
    await until(async () => (await session.status()).workers.length === 0);
  });
});

describe('a crash', () => {
  test('[P2] [C63] in the middle of a delegation starts no worker twice and loses none', async () => {
    const store = createMemoryStore();
    const ids = createFakeIds();
    // Never closed, because it crashes.
    const first = await createRondo(testingAgent({ store, ids, workers: { delegate: true } }));
    const session = await first.sessions.create();
    void session
      .chat(delegate({ workers: [worker('quick', 'say quick'), worker('slow', 'hang')] }))
      .catch(() => undefined);
    await until(async () => (await first.jobs.list({ which: 'all' })).some(({ state }) => state === 'completed'));
    await until(async () =>
      (await first.jobs.list()).some(({ run, state }) => state === 'running' && run !== undefined),
    );
    store.crash();

    const second = await rondoWith({ store: store.another(), ids });
    await second.adopt();
    await until(async () => (await second.jobs.list()).some(({ attempt }) => attempt === 2));
    const all = await second.jobs.list({ which: 'all' });
    expect(all.map(({ prompt, attempt }) => [prompt, attempt])).toEqual([
      ['say quick', 1],
      ['hang', 2],
    ]);
    const again = await second.sessions.open(session.id);
    const turn = again.wait();
    await (await second.jobs.get(all[1]?.id ?? ''))?.cancel('enough');
    expect((await turn).text).toBe(
      'delegate (success): ## quick: completed\nquick\n\n## slow: cancelled (enough)\n',
    );
    expect(await second.workers.list({ parent: session.id })).toEqual([]);
    expect((await again.status()).workers).toEqual([]);
  });
});

describe('seen from above', () => {
  test("[C9] a grandchild's question is reported at the root, and its answer continues the work", async () => {
    const write = testTool('write', () => 'written', { access: 'write' });
    const rondo = await rondoWith({ tools: [write] });
    const session = await rondo.sessions.create();
    const nested = delegate({ workers: [worker('grandchild', 'call write {}')] });
    const turn = session.chat(delegate({ workers: [worker('child', nested, { maySpawn: true })] }), {
      whenAsked: 'wait',
    });
    await until(async () => (await rondo.jobs.questions(session.id)).length === 1);
    const [question] = await rondo.jobs.questions(session.id);
    await until(async () =>
      (await eventsOf(session, 'worker-reported')).some(({ report }) => report.question === question?.id),
    );
    await until(async () => (await rondo.jobs.list()).some(({ state }) => state === 'waiting'));
    const asking = await rondo.sessions.open(question?.session ?? '');
    const byWorker = { by: { type: 'worker', name: 'child' } } as const;
    expect(await asking.answer(question?.id ?? '', { type: 'allow-once' }, byWorker)).toMatchObject({
      type: 'refused',
      refusal: { code: 'forbidden' },
    });
    await asking.answer(question?.id ?? '', { type: 'allow-once' });
    expect((await turn).text).toContain('write (success): written');
  });

  test.each([
    ['a worker', [worker('child', 'call write {}')]],
    [
      'a worker that others wait for',
      [worker('child', 'call write {}'), worker('next', 'say hi', { after: ['child'] })],
    ],
    ['the last that has not ended', [worker('quick', 'say done'), worker('child', 'call write {}')]],
    [
      'a worker of a worker',
      [worker('lead', delegate({ workers: [worker('child', 'call write {}')] }), { maySpawn: true })],
    ],
  ])(
    '[P9] where only a person can take %s further, `chat` returns with its question, and both go on when it is answered',
    async (_, workers) => {
      const write = testTool('write', () => 'written', { access: 'write' });
      const rondo = await rondoWith({ tools: [write] });
      const session = await rondo.sessions.create();
      const reply = await session.chat(delegate({ workers }));
      const [question] = await rondo.jobs.questions(session.id);
      expect(reply).toMatchObject({
        outcome: 'needs-input',
        reason: 'A worker has a question.',
        questions: [{ id: question?.id, about: { type: 'approval', tool: 'write' }, args: '{}' }],
      });
      expect(await session.wait()).toMatchObject({ outcome: 'needs-input', questions: [{ id: question?.id }] });
      const asking = await rondo.sessions.open(question?.session ?? '');
      await asking.answer(question?.id ?? '', { type: 'allow-once' });
      const end = await session.wait();
      expect(end).toMatchObject({ outcome: 'completed', questions: [] });
      expect(end.text).toContain('write (success): written');
    },
  );

  test('[P9] a refusal in a worker counts for the run', async () => {
    const write = testTool('write', () => 'written', { access: 'write' });
    const rondo = await rondoWith({ tools: [write] });
    const session = await rondo.sessions.create({ mode: 'batch' });
    const nested = delegate({ workers: [worker('child', 'call write {}')] });
    const reply = await session.chat(delegate({ workers: [worker('lead', nested, { maySpawn: true })] }));
    const refusals = [{ tool: 'write', summary: '', rule: 'default' }];
    expect(reply).toMatchObject({ outcome: 'refused', refusals });
    expect(await session.result()).toMatchObject({ outcome: 'refused', refusals });
  });

  test('[P9] a run of inputs ends there too', async () => {
    const write = testTool('write', () => 'written', { access: 'write' });
    const rondo = await rondoWith({ tools: [write] });
    const session = await rondo.sessions.create();
    const text = delegate({ workers: [worker('child', 'call write {}')] });
    expect(await session.run([{ type: 'chat', text }])).toMatchObject({
      outcome: 'needs-input',
      questions: [{ about: { type: 'approval', tool: 'write' } }],
    });
  });

  test('[P9] a waiter in another process is notified too', async () => {
    const store = createMemoryStore();
    const write = testTool('write', () => 'written', { access: 'write' });
    const ids = createFakeIds();
    const owner = await rondoWith({ store, ids, tools: [write] });
    const other = await rondoWith({ store: store.another(), ids, tools: [write] });
    const session = await owner.sessions.create();
    const text = delegate({ workers: [worker('child', 'call write {}')] });
    const turn = session.chat(text, { whenAsked: 'wait' });
    await until(async () => (await owner.jobs.questions(session.id)).length === 1);
    const [question] = await owner.jobs.questions(session.id);
    const seen = await (await other.sessions.open(session.id)).wait();
    expect(seen).toMatchObject({ outcome: 'needs-input', questions: [{ id: question?.id }] });
    await (await other.sessions.open(question?.session ?? '')).answer(question?.id ?? '', { type: 'allow-once' });
    expect((await turn).outcome).toBe('completed');
  });

  test('[P9] while somebody in this process answers, and while another worker works, nothing is held up', async () => {
    const write = testTool('write', () => 'written', { access: 'write' });
    const rondo = await rondoWith({ tools: [write], approve: 'all' });
    const session = await rondo.sessions.create();
    const reply = await session.chat(delegate({ workers: [worker('a', 'call write {}'), worker('b', 'say b')] }));
    expect(reply).toMatchObject({ outcome: 'completed', questions: [] });
  });

  test('the progress of a child is seen: what it does, its model, its tokens, its last tool', async () => {
    const look = testTool('look', () => 'seen');
    const model = createScriptedModel([{ calls: [{ tool: 'look' }] }, { hang: true }]);
    const rondo = await rondoWith({ tools: [look], models: { testing: model } });
    const parent = await rondo.sessions.create();
    await parent.persist();
    const child = await rondo.workers.create('child', { parent: parent.id, model: 'testing' });
    const job = await child.run('go');
    await until(async () => (await child.status())?.progress?.lastTool === 'look');
    await until(async () => (await child.status())?.state === 'requesting');
    const [status] = await rondo.workers.list({ parent: parent.id });
    expect(status?.progress).toMatchObject({
      activity: 'requesting',
      model: 'testing',
      job: job.id,
      lastTool: 'look',
      tokens: 1,
    });
    await job.cancel();
    await job.wait();
  });
});

describe('budgets', () => {
  const usage = { inputTokens: 80, outputTokens: 20, cost: 0.1 };
  /** Its agent calls a tool for twenty steps. */
  const busyRondo = () =>
    rondoWith({
      tools: [testTool('look', () => 'seen')],
      models: {
        testing: createScriptedModel(Array.from({ length: 20 }, () => ({ calls: [{ tool: 'look' }], usage }))),
      },
      agents: { testing: { model: 'testing', limits: { repeats: 0 } } },
      workers: {},
    });

  test('[P7] a child spends within its share, is stopped there, and returns the rest', async () => {
    const rondo = await busyRondo();
    const parent = await rondo.sessions.create({ limits: { tokens: 1000 } });
    await parent.persist();
    const child = await rondo.workers.create('child', { parent: parent.id });
    await expect(child.run('too much', {}, { allotment: { tokens: 1001 } })).rejects.toThrow(
      'has 1000 of its limit of 1000 left in tokens, not 1001',
    );
    const job = await child.run('go', {}, { allotment: { tokens: 500 } });
    expect((await parent.status()).workers).toMatchObject([{ allotment: { tokens: 500 } }]);
    const result = await job.wait();
    expect(result).toMatchObject({ ending: { type: 'failed', code: 'limit-tokens' }, spent: { tokens: 500 } });
    const ended = (await eventsOf(parent, 'worker-reported')).find(({ report }) => report.state === 'failed');
    expect(ended?.report.usage).toEqual({ inputTokens: 400, outputTokens: 100, cost: result.spent.cost });
    const neared = await eventsOf(await rondo.sessions.open(result.session ?? ''), 'limit-neared');
    expect(neared).toEqual([{ type: 'limit-neared', name: 'tokens', used: 400, limit: 500 }]);
  });

  test('[P7] tool calls, wall time and places for workers are shares of the parent as well', async () => {
    const rondo = await busyRondo();
    const parent = await rondo.sessions.create({ limits: { totalToolCalls: 7, children: 6 } });
    await parent.persist();
    const child = await rondo.workers.create('child', { parent: parent.id, maySpawn: true });
    const job = await child.run('go');
    expect((await parent.status()).workers).toMatchObject([{ allotment: { toolCalls: 3, children: 2 } }]);
    const { ending, spent, session } = await job.wait();
    expect({ ending, toolCalls: spent.toolCalls }).toEqual({
      ending: { type: 'failed', code: 'limit-tool-calls', message: 'The turn reached its limit: tool-calls 3.' },
      toolCalls: 3,
    });
    expect((await rondo.sessions.open(session ?? '').then((one) => one.status())).limits).toMatchObject({
      totalToolCalls: 3,
      children: 2,
    });
  });

  test('[P7] a child ends no later than the turn it works for', async () => {
    const store = createMemoryStore();
    const rondo = await rondoWith({ store });
    const parent = await rondo.sessions.create({ limits: { wallTimeMs: 60_000 } });
    const sent = await parent.send({ type: 'chat', text: 'hang' });
    if (sent.type !== 'accepted') throw new Error(sent.refusal.message);
    const [wall] = await eventsOf(parent, 'wait-intended');
    const child = await rondo.workers.create('child', { parent: parent.id });
    const job = await child.run('hang', {}, { timeoutMs: 3_600_000 });
    expect((await store.jobs.job(job.id))?.deadline).toBe(wall?.until);
    await job.cancel();
    await job.wait();
  });

  test.each([-3_600_000, 3_600_000])(
    '[P7] [O5] a child has the time that its parent has left, though the clock was set by %i ms',
    async (setBy) => {
      const store = createMemoryStore();
      const clock = createFakeClock();
      const rondo = await rondoWith({ store, clock });
      const parent = await rondo.sessions.create({ limits: { wallTimeMs: 60_000 } });
      await parent.send({ type: 'chat', text: 'hang' });
      await clock.advance(20_000);
      clock.set(setBy);
      const child = await rondo.workers.create('child', { parent: parent.id });
      const job = await child.run('hang', {}, { timeoutMs: 3_600_000 });
      expect((await store.jobs.job(job.id))?.deadline).toBe(clock.now() + 40_000);
      await job.cancel();
    },
  );

  test('[P7] a person gives a child more while it runs, as far as its parent has it', async () => {
    const gate = Promise.withResolvers<void>();
    const look = testTool('look', async () => {
      await gate.promise;
      return 'seen';
    });
    const steps = [
      { calls: [{ tool: 'look' }], usage },
      { text: 'done', usage },
    ];
    const rondo = await rondoWith({ tools: [look], models: { testing: createScriptedModel(steps) } });
    const parent = await rondo.sessions.create({ limits: { tokens: 50_000 } });
    await parent.persist();
    const child = await rondo.workers.create('child', { parent: parent.id });
    const job = await child.run('go', {}, { allotment: { tokens: 10_000 } });
    await until(async () => (await child.status())?.state === 'using-tool');
    expect(await job.extend({ tokens: 60_000 })).toMatchObject({ type: 'refused', refusal: { code: 'limit' } });
    expect(await job.extend({ tokens: 20_000 })).toMatchObject({ type: 'accepted' });
    gate.resolve();
    expect(await job.wait()).toMatchObject({ text: 'done', spent: { tokens: 200 } });
  });

  test('[P7][C138] the total of a tree is the same everywhere, grandchildren included, with what children used beside it', async () => {
    const say = { usage, text: 'ok' };
    const call = (name: string, more: object = {}) => ({
      usage,
      calls: [{ tool: 'delegate', args: { workers: [worker(name, 'go', more)] } }],
    });
    const model = createScriptedModel([call('child', { maySpawn: true }), call('grandchild'), say, say, say]);
    const rondo = await rondoWith({ models: { testing: model } });
    const session = await rondo.sessions.create({ limits: { tokens: 100_000 } });
    await session.chat('go');
    model.verify();
    const { entries } = await rondo.sessions.list();
    const tokens = (used: { inputTokens: number; outputTokens: number } | undefined) =>
      used === undefined ? 0 : used.inputTokens + used.outputTokens;
    // Root, child, grandchild: each includes those below it.
    const listed = entries.map((entry) => ({ all: tokens(entry), below: tokens(entry.children) }));
    expect(listed.toSorted((a, b) => b.all - a.all)).toEqual([
      { all: 500, below: 300 },
      { all: 300, below: 100 },
      { all: 100, below: 0 },
    ]);
    const { usage: total } = await session.status();
    expect({ all: tokens(total), below: tokens(total.children) }).toEqual({ all: 500, below: 300 });
    const report = usageReportOf(session.id, (await session.events({ after: 0, limit: 1000 })).events);
    expect({
      all: tokens(report.totals),
      own: tokens(report.own),
      below: report.workers.map(({ name, totals }) => ({ name, tokens: tokens(totals) })),
    }).toEqual({ all: 500, own: 200, below: [{ name: 'child', tokens: 300 }] });
  });
});

describe('a group', () => {
  test('[C11] [C83] has roles with their own histories, a focus that moves, and failures that stay where they are', async () => {
    const rondo = await rondoWith();
    const parent = await rondo.sessions.create();
    await parent.persist();
    const group = rondo.groups.of(parent.id);
    await group.add('planner');
    await group.add('coder');
    await expect(group.add('coder')).rejects.toThrow('The name coder is taken');
    expect(await group.focus()).toBe('planner');
    const plan = await group.say('say the plan');
    await group.focusOn('coder');
    await expect(group.focusOn('painter')).rejects.toThrow('its roles are: planner, coder.');
    const failed = await group.say('fail no disk');
    const other = await group.say('say still planning', { to: 'planner' });
    expect([plan.text, failed.ending.type, other.text, await group.focus()]).toEqual([
      'the plan',
      'failed',
      'still planning',
      'coder',
    ]);
    expect(other.session).toBe(plan.session);
    expect((await group.roles()).map(({ name, state }) => [name, state])).toEqual([
      ['planner', 'inactive'],
      ['coder', 'inactive-failed'],
    ]);
  });
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let time = 0; time < 200; time += 1) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('It did not come about within a second.');
}
