import { describe, expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { step, type Step } from '../../kernel/decide/step.ts';
import { createScriptedModel, type ScriptedStep } from '../../models/scripted.ts';
import { createTestingModel } from '../../models/testing-model.ts';
import { createRondo, type RondoOptions } from '../../rondo.ts';
import type { Logger } from '../../ports/logger.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import type { Session } from './session.ts';

const scripted = (...steps: readonly ScriptedStep[]) => {
  const model = createScriptedModel(steps);
  return { model, options: { agents: { a: {} }, models: { m: model } } satisfies RondoOptions };
};

describe('chat', () => {
  test('[C19] [C116] a streamed reply arrives in pieces and is stored whole', async () => {
    const { model, options } = scripted({ deltas: ['Hel', 'lo ', 'there'] });
    const rondo = await rondoOfTest(options);
    const session = await rondo.sessions.create();
    const reply = await session.chat('hi');
    model.verify();
    expect(reply).toEqual({
      type: 'result',
      session: session.id,
      outcome: 'completed',
      text: 'Hello there',
      usage: { inputTokens: 1, outputTokens: 3, cost: 0, costIsKnown: true },
      steps: 1,
      toolCalls: 0,
      questions: [],
      refusals: [],
    });
    const { events } = await session.events({ after: 4 });
    expect(events.map(({ event }) => event)).toMatchObject([
      { type: 'model-settled', outcome: { type: 'completed', text: 'Hello there' } },
      { type: 'turn-ended', ending: { type: 'completed' } },
    ]);
  });

  test('[C29] the results of several tools go back to the model under their ids', async () => {
    const { model, options } = scripted(
      {
        calls: [
          { id: 'a', tool: 'add', args: { n: 1 } },
          { id: 'b', tool: 'fail' },
        ],
      },
      { text: 'done' },
    );
    const tools = [
      testTool('add', () => '2'),
      testTool('fail', () => ({ type: 'error', code: 'nope', message: 'it failed' })),
    ];
    const rondo = await rondoOfTest({ ...options, tools });
    const session = await rondo.sessions.create();
    expect(await session.chat('go')).toMatchObject({ outcome: 'completed', text: 'done' });
    expect(model.requests[1]?.messages.slice(0, 4)).toEqual([
      { role: 'user', text: 'go' },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'a', tool: 'add', args: '{"n":1}' },
          { id: 'b', tool: 'fail', args: '{}' },
        ],
      },
      { role: 'tool', call: 'a', tool: 'add', outcome: 'success', text: '2' },
      { role: 'tool', call: 'b', tool: 'fail', outcome: 'error', text: 'it failed' },
    ]);
  });

  test('[C20] [C7] a model that throws is an error of the turn, waited out and tried again', async () => {
    const clock = createFakeClock();
    let calls = 0;
    const rondo = await rondoOfTest({
      clock,
      agents: { a: {} },
      models: {
        m: {
          name: 'm',
          call: () => {
            calls += 1;
            return Promise.reject(new Error('kaput'));
          },
        },
      },
    });
    const session = await rondo.sessions.create();
    const reply = session.chat('hi');
    await clock.advance(2999);
    expect(calls).toBe(1);
    await clock.advance(1);
    expect(calls).toBe(2);
    await clock.advance(3000);
    expect(await reply).toMatchObject({ outcome: 'failed', reason: '3 errors in a row; the last: kaput' });
    expect(calls).toBe(3);
  });

  test('content above a few kB is kept as a blob and comes back whole [P10]', async () => {
    const long = 'x'.repeat(20_000);
    const { model, options } = scripted({ text: long }, { text: 'short' });
    const rondo = await rondoOfTest(options);
    const session = await rondo.sessions.create();
    expect((await session.chat('hi')).text).toBe(long);
    const { events } = await session.events({ after: 0 });
    expect(JSON.stringify(events).length).toBeLessThan(4000);
    await session.chat('y'.repeat(9000));
    const sent = model.requests[1];
    const prompt = sent?.messages.at(-1);
    expect(prompt?.role === 'user' && typeof prompt.text !== 'string' ? await sent?.read(prompt.text) : '').toBe(
      'y'.repeat(9000),
    );
  });

  test('an answer that needs a person comes back as needs-input, and continues once it is given [P3] [P9]', async () => {
    const ran: string[] = [];
    const change = testTool('change', () => (ran.push('change'), 'changed'), { access: 'write', repeat: 'never' });
    const rondo = await rondoOfTest(testingAgent({ tools: [change] }));
    const session = await rondo.sessions.create();
    const reply = await session.chat('call change {}\nsay finished');
    expect(reply).toMatchObject({
      outcome: 'needs-input',
      questions: [{ about: { type: 'approval', tool: 'change' } }],
    });
    expect(ran).toEqual([]);
    expect(await rondo.questions()).toMatchObject([
      { id: reply.questions[0]?.id, session: session.id, type: 'approval' },
    ]);
    await session.answer(reply.questions[0]?.id ?? '', { type: 'allow-once' });
    expect(await session.wait()).toMatchObject({ outcome: 'completed', text: 'finished' });
    expect(ran).toEqual(['change']);
    expect(await rondo.questions()).toEqual([]);
  });
});

describe('interrupt', () => {
  test('[C6] [P6] a hung model is cancelled within a step, and what it said is kept', async () => {
    const { options } = scripted({ deltas: ['half a '], hang: true });
    // The clock stands still, so a grace period would never end.
    const rondo = await rondoOfTest({ ...options, clock: createFakeClock() });
    const session = await rondo.sessions.create();
    const reply = session.chat('hi');
    await untilSaid(session, 'half a ');
    await session.interrupt();
    expect(await reply).toMatchObject({ outcome: 'cancelled', text: 'half a ' });
  });

  test('[P6] a tool that ignores its cancel is given up after the grace, and its end is recorded', async () => {
    const clock = createFakeClock();
    const stuck = testTool('stuck', () => new Promise(() => {}));
    const rondo = await rondoOfTest(testingAgent({ clock, tools: [stuck] }));
    const session = await rondo.sessions.create();
    const reply = session.chat('call stuck {}');
    await clock.advance(1);
    await session.interrupt();
    await clock.advance(4999);
    expect((await session.status()).lifecycle).toBe('cancelling');
    await clock.advance(2000);
    expect(await reply).toMatchObject({ outcome: 'cancelled' });
    const { events } = await session.events({ after: 0 });
    expect(events.map(({ event }) => event.type).slice(-2)).toEqual(['tool-settled', 'turn-ended']);
  });
});

describe('a session', () => {
  test('[C9] says what it is doing at each stage and that it is not running at the end', async () => {
    const gate = Promise.withResolvers<string>();
    const rondo = await rondoOfTest(testingAgent({ tools: [testTool('wait', () => gate.promise)] }));
    const session = await rondo.sessions.create();
    expect((await session.status()).lifecycle).toBe('new');
    const reply = session.chat('call wait {}\nsay ok');
    await expect
      .poll(() => session.status())
      .toMatchObject({ lifecycle: 'running', usage: { steps: 1, toolCalls: 1 } });
    const { events } = await session.events({ after: 0 });
    const intent = events.find(({ event }) => event.type === 'tool-run-intended');
    expect((await session.status()).doing).toEqual([
      { words: 'running wait', effect: `${session.id}.${intent?.seq}`, since: intent?.at },
    ]);
    gate.resolve('over');
    await reply;
    expect(await session.status()).toMatchObject({
      lifecycle: 'idle',
      usage: { steps: 2, toolCalls: 1, turns: 1 },
    });
  });

  test('returns everything that an external agent said in its turn, however long', async () => {
    const words = Array.from({ length: 600 }, (_, index) => `${index}`);
    const rondo = await rondoOfTest({
      agents: { outside: { command: { command: 'outside', args: [] } } },
      externalAgents: {
        async prompt({ report }) {
          for (const word of words) report({ type: 'message', text: `${word} ` });
          return { type: 'completed' };
        },
        answer: () => undefined,
      },
    });
    const session = await rondo.sessions.create({ agent: 'outside' });
    await session.chat('count');
    expect((await session.result()).text).toBe(words.map((word) => `${word} `).join(''));
  });

  test('leaves no trace until it is used, and can be found by id, prefix or as the latest [C122]', async () => {
    const rondo = await rondoOfTest(testingAgent());
    await rondo.sessions.create();
    const used = await rondo.sessions.create({ title: 'a used one' });
    await used.chat('hello');
    expect((await rondo.sessions.list()).entries.map(({ session, title }) => ({ session, title }))).toEqual([
      { session: used.id, title: 'a used one' },
    ]);
    expect((await rondo.sessions.open(used.id.slice(0, 20))).id).toBe(used.id);
    expect((await rondo.sessions.open('latest')).id).toBe(used.id);
    await expect(rondo.sessions.open('ses_nothing')).rejects.toThrow('Unknown session ses_nothing in this store');
    const kept = await rondo.sessions.create();
    await kept.persist();
    expect((await rondo.sessions.list()).entries.map(({ session }) => session)).toContain(kept.id);
  });

  test('[C125] the limit on live sessions is its own error', async () => {
    const rondo = await rondoOfTest(testingAgent({ maxLiveSessions: 1 }));
    await rondo.sessions.create();
    await expect(rondo.sessions.create()).rejects.toThrow('is at its limit of 1 live sessions');
  });

  test('[C18] a whole session runs on stubs, touching no network and no files', async () => {
    const rondo = await rondoOfTest({ store: 'memory:', agents: { a: {} }, models: { m: createTestingModel() } });
    const session = await rondo.sessions.create();
    expect((await session.chat('hello')).text).toBe('You said: hello');
  });

  test('one that breaks is suspended alone; the others and the process continue', async () => {
    const problems: string[] = [];
    const breaking: Step = (state, input) => {
      if (input.type === 'prompt-received' && input.text === 'break') throw new Error('a bug of ours');
      return step(state, input);
    };
    const logger: Logger = { log: (_level, message) => problems.push(message) };
    const rondo = await rondoOfTest(testingAgent({ logger, step: breaking }));
    const [bad, good] = [await rondo.sessions.create(), await rondo.sessions.create()];
    await bad.chat('hello');
    await expect(bad.chat('break')).rejects.toThrow('stopped on an internal error: a bug of ours');
    expect(problems).toEqual([`session ${bad.id} is suspended`]);
    expect((await good.chat('hello')).outcome).toBe('completed');
    expect((await bad.chat('hello again')).text).toBe('You said: hello again');
  });
});

describe('sending', () => {
  test('[C1] a key sent again changes nothing and gets the first answer; for other content it is a conflict', async () => {
    const rondo = await rondoOfTest(testingAgent());
    const session = await rondo.sessions.create();
    const first = await session.send({ type: 'chat', text: 'hello' }, { key: 'k1' });
    await session.wait();
    const { seq } = await session.status();
    expect(await session.send({ type: 'chat', text: 'hello' }, { key: 'k1' })).toEqual(first);
    expect((await session.status()).seq).toBe(seq);
    expect(await session.send({ type: 'chat', text: 'other' }, { key: 'k1' })).toMatchObject({
      type: 'refused',
      refusal: { code: 'conflict' },
    });
    expect(await session.chat('hello', { key: 'k1' })).toMatchObject({
      outcome: 'completed',
      text: 'You said: hello',
    });
    expect((await session.status()).seq).toBe(seq);
  });

  test('[C1] a key sent again after the session was closed, or could no longer be understood, gets its first answer', async () => {
    const store = createMemoryStore();
    const options = { ...testingAgent(), agents: { testing: { model: 'testing' }, other: { model: 'testing' } } };
    const first = await createRondo({ ...options, store: store.another() });
    const session = await first.sessions.create();
    const changed = await session.send({ type: 'agent', agent: 'other' }, { key: 'k1' });
    const receipt = await session.send({ delivery: 'queue', text: 'hello', type: 'chat' }, { key: 'k2' });
    await session.wait();
    await session.send({ type: 'close' }, { key: 'k3' });
    await first.close();
    await using second = await createRondo({
      ...options,
      agents: { testing: { model: 'testing' } },
      store: store.another(),
    });
    const again = await second.sessions.open(session.id);
    expect(await again.send({ type: 'agent', agent: 'other' }, { key: 'k1' })).toEqual(changed);
    expect(await again.send({ type: 'chat', text: 'hello' }, { key: 'k2' })).toEqual(receipt);
    expect((await again.send({ type: 'close' }, { key: 'k3' })).type).toBe('accepted');
    expect(await again.send({ type: 'chat', text: 'hello' }, { key: 'k4' })).toMatchObject({
      type: 'refused',
      refusal: { code: 'closed' },
    });
  });

  test('[C1] a session created under a key is made once, by whichever process asks first', async () => {
    const store = createMemoryStore();
    await using a = await createRondo({ ...testingAgent(), store: store.another() });
    await using b = await createRondo({ ...testingAgent(), store: store.another() });
    const wanted = (title: string) => () => Promise.resolve({ title });
    const made = await Promise.all(
      [a, b, a].map((rondo) => rondo.sessions.createOnce(wanted('one'), { key: 'k', digest: 'one' })),
    );
    const ids = made.map((answer) => (answer.type === 'created' ? answer.session.id : answer.type));
    expect(new Set(ids).size).toBe(1);
    expect((await a.sessions.list()).entries).toHaveLength(1);
    expect(await b.sessions.createOnce(wanted('two'), { key: 'k', digest: 'two' })).toEqual({
      type: 'conflict',
      session: ids[0],
    });
  });

  test('[C1] each kind of input is accepted or refused with a reason', async () => {
    const rondo = await rondoOfTest(testingAgent({ tools: [testTool('look', () => 'seen')] }));
    const session = await rondo.sessions.create();
    const send = async (input: Parameters<typeof session.send>[0]) => {
      const receipt = await session.send(input);
      return receipt.type === 'refused' ? receipt.refusal.message : receipt.type;
    };
    expect(await send({ type: 'task', command: 'look' })).toBe('accepted');
    expect(await session.wait()).toMatchObject({ outcome: 'completed' });
    expect(await send({ type: 'mode', mode: 'batch' })).toBe('accepted');
    expect(await send({ type: 'mode', mode: 'loud' })).toContain('unknown mode loud');
    expect(await send({ type: 'agent', agent: 'nobody' })).toBe('unknown agent nobody; `rondo agents` lists them');
    expect(await send({ type: 'answer', question: 'q_1', answer: { type: 'allow-once' } })).toContain(
      'no open question q_1',
    );
    expect(await send({ type: 'limits', limits: { steps: 5 } })).toBe('accepted');
    expect(await send({ type: 'interrupt' })).toBe('accepted');
    expect(await send({ type: 'queue', change: { type: 'removed', prompt: 99 } })).toContain(
      'prompt 99 is not in the queue',
    );
    expect(await send({ type: 'close' })).toBe('accepted');
    expect(await send({ type: 'chat', text: 'still there?' })).toContain('is closed; fork it');
  });
});

describe('run', () => {
  test('[C4] takes inputs from a channel until it ends, one turn after the other', async () => {
    const rondo = await rondoOfTest(testingAgent());
    const session = await rondo.sessions.create();
    const result = await session.run(
      (async function* () {
        yield { type: 'chat', text: 'one' } as const;
        yield { type: 'chat', text: 'two' } as const;
      })(),
    );
    expect(result).toMatchObject({ outcome: 'completed', text: 'You said: two', steps: 2 });
  });

  test('[C4] waits without spinning while nothing happens', async () => {
    const gate = Promise.withResolvers<void>();
    const rondo = await rondoOfTest(testingAgent());
    const session = await rondo.sessions.create();
    const run = session.run(
      (async function* () {
        yield { type: 'chat', text: 'one' } as const;
        await gate.promise;
      })(),
    );
    await expect.poll(async () => (await session.status()).usage.turns).toBe(1);
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(250);
    gate.resolve();
    expect(await run).toMatchObject({ outcome: 'completed', text: 'You said: one' });
  });

  test('a mode of one turn ends the run with the turn, though inputs may still come', async () => {
    const rondo = await rondoOfTest(testingAgent());
    const { modes } = await import('../../kernel/mode.ts');
    const session = await rondo.sessions.create({
      mode: { ...modes.interactive, name: 'one-shot', ends: 'after-turn' },
    });
    const result = await session.run(
      (async function* () {
        yield { type: 'chat', text: 'one' } as const;
        await new Promise(() => {});
      })(),
    );
    expect(result).toMatchObject({ outcome: 'completed', text: 'You said: one' });
  });
});

describe('close', () => {
  test('[C16] waits for running turns to a deadline, then leaves them to be resumed', async () => {
    const store = createMemoryStore();
    const clock = createFakeClock();
    const started = Promise.withResolvers<void>();
    const stuck = testTool('stuck', () => (started.resolve(), new Promise(() => {})));
    const rondo = await createRondo(testingAgent({ store, clock, tools: [stuck] }));
    const session = await rondo.sessions.create();
    let isOver = false;
    const reply = session
      .chat('call stuck {}\nsay resumed')
      .catch((error: Error) => error.message)
      .finally(() => (isOver = true));
    await started.promise;
    const closing = rondo.close({ deadline: 50, endWithin: 20 });
    await clock.advance(49);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await closing;
    expect(await reply).toContain('This process no longer holds session');
    const again = await rondoOfTest(
      testingAgent({ store: store.another(), tools: [testTool('stuck', () => 'now it works')] }),
    );
    const resumed = await again.sessions.open(session.id);
    expect(await resumed.wait()).toMatchObject({ outcome: 'completed', text: 'resumed' });
  });
});

async function untilSaid(session: Session, text: string): Promise<void> {
  for await (const update of session.follow({ after: 0 })) {
    if (update.type === 'progress' && update.text === text) return;
  }
}

test('[P3] [O13] a question that is answered together with other inputs leaves the list of open questions', async () => {
  const change = testTool('change', () => 'changed', { access: 'write' });
  const memory = createMemoryStore();
  const { append } = memory.journal;
  // Slow enough that the inputs behind the first are taken together.
  const slowly: typeof append = async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return append(request);
  };
  const store = { ...memory, journal: { ...memory.journal, append: slowly } };
  const rondo = await rondoOfTest(testingAgent({ store, tools: [change] }));
  const session = await rondo.sessions.create();
  const { questions } = await session.chat('call change {}\nsay done');
  const question = questions[0]?.id ?? '';
  expect((await rondo.questions()).map(({ id }) => id)).toEqual([question]);
  const later = (text: string) => session.send({ type: 'chat', text });
  await Promise.all([later('say one'), later('say two'), session.answer(question, { type: 'allow-once' })]);
  expect(await rondo.questions()).toEqual([]);
});

test('[C117] a session reports the parts of its context', async () => {
  const rondo = await rondoOfTest(testingAgent());
  const session = await rondo.sessions.create();
  await session.chat('say one');
  const { parts } = await session.context();
  const names = parts.filter(({ tokens }) => tokens > 0).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['user', 'assistant']));
  expect(names).not.toContain('tools');
});

test.each([
  [{ type: 'fenced', epoch: 9 } as const, 'another process owns it now (epoch 9)'],
  [{ type: 'conflict', seq: 9 } as const, 'another process has written up to event 9'],
])(
  '[P4] an append that is refused (%j) reaches the sender, and nothing of it is carried out',
  async (answer, words) => {
    const memory = createMemoryStore();
    let isRefused = false;
    const { append } = memory.journal;
    const refusing: typeof append = async (request) => (isRefused ? answer : append(request));
    const store = { ...memory, journal: { ...memory.journal, append: refusing } };
    const ran: string[] = [];
    const look = testTool('look', () => String(ran.push('look')));
    const rondo = await rondoOfTest(testingAgent({ store, tools: [look] }));
    const session = await rondo.sessions.create();
    await session.chat('hello');
    isRefused = true;
    await expect(session.chat('call look {}')).rejects.toThrow(words);
    expect(ran).toEqual([]);
  },
);
