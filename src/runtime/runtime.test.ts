import { describe, expect, test } from 'vitest';
import type { FileCheckpoint } from '../kernel/checkpoint.ts';
import { newConversation } from '../kernel/conversation/conversation.ts';
import type { Decision } from '../kernel/decision.ts';
import { Fault } from '../kernel/fault.ts';
import type { EffectId, QuestionId, SessionId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import { optional } from '../kernel/optional.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { given } from '../testing/given.ts';
import { call, chat, created } from '../testing/inputs.ts';
import { testTool } from '../testing/test-tool.ts';
import type { Capabilities } from './capabilities.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import type { Model } from '../ports/model.ts';
import { createRuntime } from './runtime.ts';
import type { Tool } from '../ports/tool.ts';
import { timeAt } from '../kernel/time.ts';

const effect = 'ses_1.4' as EffectId;
const tick = () => new Promise((resolve) => setImmediate(resolve));

function setUp(
  parts: {
    readonly model?: Model['call'];
    readonly tools?: readonly Tool[];
    readonly releaseTools?: (session: SessionId) => Promise<void>;
  } & Partial<Omit<Capabilities, 'tools'>> = {},
) {
  const clock = createFakeClock();
  const delivered: (InputBody & { by?: string })[] = [];
  const notices: string[] = [];
  const records: unknown[] = [];
  const { model, tools = [], releaseTools: release, ...rest } = parts;
  const runtime = createRuntime({
    clock,
    logger: { log: (_level, message) => notices.push(message) },
    models: { resolve: () => (model === undefined ? 'There is no model.' : { name: 'm', call: model }) },
    tools: {
      get: (name) => tools.find((tool) => tool.name === name),
      offered: () => tools,
      ...optional({ release }),
    },
    briefing: { system: () => 'Be brief.', roots: (state) => [state.cwd] },
    telemetry: { record: (entry) => records.push(entry) },
    ...rest,
  });
  const host: EffectHost = {
    session: 'ses_1' as SessionId,
    epoch: 7,
    state: given(created(), chat('hi')).state,
    messages: async () => [{ role: 'user', text: 'hi' }],
    agentPrompt: async () => ({ before: [], unsent: [] }),
    conversation: async () => newConversation('ses_1' as SessionId),
    bootTime: () => ({ boot: 'boot-1', uptime: clock.uptime() }),
    deliver: (input, by) => void delivered.push(by === undefined ? input : { ...input, by: by.name }),
    progress: ({ kind, text }) => void notices.push(`${kind}: ${text}`),
    read: async () => 'blob',
    leftOpen: () => undefined,
  };
  return { runtime, host, clock, delivered, notices, records };
}

const callModel: Decision = { type: 'call-model', effect, attempt: 1 };
const runTool = (tool: string, attempt = 1): Decision => ({
  type: 'run-tool',
  effect,
  attempt,
  call: call('a', tool),
});

describe('each decision has its handler [C3]', () => {
  const completed = {
    type: 'completed',
    text: 'Hi.',
    calls: [],
    usage: { inputTokens: 1, outputTokens: 1 },
    stop: 'end',
  } as const;

  test('call-model streams and settles with what the model said [C19]', async () => {
    const { runtime, host, delivered, notices, records } = setUp({
      async model(request, sink) {
        expect([request.system, request.messages]).toEqual(['Be brief.', [{ role: 'user', text: 'hi' }]]);
        sink.text('H');
        sink.text('i.');
        return completed;
      },
    });
    runtime.carryOut(callModel, host);
    await tick();
    expect(notices).toEqual(['text: H', 'text: i.']);
    expect(delivered).toEqual([
      { type: 'model-settled', effect, attempt: 1, outcome: { ...completed, model: 'm' } },
    ]);
    expect(records).toMatchObject([{ effect, kind: 'model', outcome: 'completed' }]);
  });

  test('call-model without a model settles with the reason', async () => {
    const { runtime, host, delivered } = setUp();
    runtime.carryOut(callModel, host);
    await tick();
    expect(delivered).toEqual([
      {
        type: 'model-settled',
        effect,
        attempt: 1,
        outcome: { type: 'failed', code: 'model-unavailable', message: 'There is no model.', retryable: false },
      },
    ]);
  });

  test('run-tool runs the tool with its arguments and context, epoch included [C30] [O15]', async () => {
    const { runtime, host, delivered, notices } = setUp({
      tools: [
        testTool('look', (args, context) => {
          context.progress('looking');
          return JSON.stringify({ args, cwd: context.cwd, effect: context.effect, epoch: context.epoch });
        }),
      ],
    });
    runtime.carryOut(runTool('look'), host);
    await tick();
    expect(notices).toEqual(['output: looking']);
    const output = '{"args":{},"cwd":"/work","effect":"ses_1.4","epoch":7}';
    expect(delivered).toEqual([{ type: 'tool-settled', effect, attempt: 1, result: { type: 'success', output } }]);
  });

  test('start-job and prompt-agent report a missing capability', async () => {
    const { runtime, host, delivered } = setUp();
    runtime.carryOut({ type: 'start-job', effect, attempt: 1, call: call('a', 'delegate') }, host);
    runtime.carryOut({ type: 'prompt-agent', effect: 'ses_1.9' as EffectId, attempt: 1, prompts: [2] }, host);
    await tick();
    expect(delivered).toMatchObject([
      { type: 'job-settled', result: { type: 'error', code: 'no-workers' } },
      { type: 'agent-turn-settled', outcome: { type: 'failed', code: 'agent-unavailable' } },
    ]);
  });

  test('ask hands the question to the approver and delivers its answer in its name', async () => {
    const question = {
      id: 'q_1' as QuestionId,
      openedAt: 0,
      about: { type: 'repeat', what: 'x', reason: 'y' },
    } as const;
    const { runtime, host, delivered } = setUp({ approver: async () => ({ type: 'allow-once' }) });
    runtime.carryOut({ type: 'ask', question }, host);
    await tick();
    expect(delivered).toEqual([
      { type: 'question-answered', question: 'q_1', answer: { type: 'allow-once' }, by: 'approver' },
    ]);
  });

  test('wait-until delivers when the time has come, and not after it was cancelled', async () => {
    const { runtime, host, clock, delivered } = setUp();
    const other = 'ses_1.5' as EffectId;
    runtime.carryOut({ type: 'wait-until', effect, until: timeAt(clock.now() + 100) }, host);
    runtime.carryOut({ type: 'wait-until', effect: other, until: timeAt(clock.now() + 100) }, host);
    runtime.carryOut({ type: 'cancel', effect: other, graceMs: 0 }, host);
    await clock.advance(100);
    expect(delivered).toEqual([{ type: 'time-reached', effect }]);
  });
});

describe('every effect is settled exactly once', () => {
  test("an exception is a fault of the effect, and logs don't show its content", async () => {
    const { runtime, host, delivered, notices } = setUp({
      tools: [testTool('broken', () => Promise.reject(new Fault('process', 'secret words')))],
    });
    runtime.carryOut(runTool('broken'), host);
    await tick();
    expect(delivered).toMatchObject([{ result: { type: 'error', code: 'fault', fault: true } }]);
    expect(notices.join()).not.toContain('secret words');
  });

  test('[P6] a cancelled model call settles at once, though the model never answers; a late answer is dropped', async () => {
    const late = Promise.withResolvers<never>();
    const { runtime, host, delivered } = setUp({
      model: (_request, sink) => {
        sink.text('so far');
        return late.promise;
      },
    });
    runtime.carryOut(callModel, host);
    await tick();
    runtime.carryOut({ type: 'cancel', effect, graceMs: 5000 }, host);
    late.reject(new Error('too late'));
    await tick();
    expect(delivered).toMatchObject([{ outcome: { type: 'cancelled', partial: 'so far' } }]);
    expect(runtime.inFlight).toBe(0);
  });

  test('[P6] a cancelled tool is waited for as long as the grace lasts, then settled by force', async () => {
    const { runtime, host, clock, delivered } = setUp({ tools: [testTool('stuck', () => new Promise(() => {}))] });
    runtime.carryOut(runTool('stuck'), host);
    await tick();
    runtime.carryOut({ type: 'cancel', effect, graceMs: 5000 }, host);
    await clock.advance(4999);
    expect(delivered).toEqual([]);
    await clock.advance(1);
    expect(delivered).toEqual([{ type: 'tool-settled', effect, attempt: 1, result: { type: 'cancelled' } }]);
  });

  test('a new attempt replaces the old one, whose answer no longer counts', async () => {
    const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const { runtime, host, delivered } = setUp({
      tools: [testTool('slow', (_args, { attempt }) => gates[attempt - 1]?.promise ?? '')],
    });
    runtime.carryOut(runTool('slow', 1), host);
    runtime.carryOut(runTool('slow', 2), host);
    gates[0]?.resolve('old');
    gates[1]?.resolve('new');
    await tick();
    expect(delivered).toEqual([
      { type: 'tool-settled', effect, attempt: 2, result: { type: 'success', output: 'new' } },
    ]);
  });

  test('[P4] a dropped effect delivers nothing', async () => {
    const { runtime, host, delivered } = setUp({ tools: [testTool('slow', () => tick().then(() => 'done'))] });
    runtime.carryOut(runTool('slow'), host);
    await runtime.drop('ses_1' as SessionId);
    await tick();
    expect([delivered, runtime.inFlight]).toEqual([[], 0]);
  });

  test('[P6] a tool whose turn is cancelled while it is prepared never starts', async () => {
    const ran: string[] = [];
    const tool = testTool('late', () => String(ran.push('late')));
    const prepared = Promise.withResolvers<FileCheckpoint | undefined>();
    const checkpoints = {
      take: () => prepared.promise,
      touch: () => Promise.resolve(),
      takeBefore: () => Promise.resolve('unused'),
      restore: () => Promise.resolve('unused'),
    };
    const { runtime, host, clock, delivered } = setUp({ tools: [tool], checkpoints });
    const writing: Decision = {
      type: 'run-tool',
      effect,
      attempt: 1,
      call: { ...call('a', 'late'), facts: { ...call('a', 'late').facts, access: 'write' } },
    };
    runtime.carryOut(writing, host);
    await tick();
    runtime.carryOut({ type: 'cancel', effect, graceMs: 5000 }, host);
    await clock.advance(5000);
    prepared.resolve(undefined);
    await tick();
    expect(ran).toEqual([]);
    expect(delivered).toEqual([{ type: 'tool-settled', effect, attempt: 1, result: { type: 'cancelled' } }]);
  });

  test('[O7] drop resolves when what ran has really ended, also what was settled by force before', async () => {
    const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const { runtime, host, clock } = setUp({
      tools: [testTool('slow', (_args, { attempt }) => gates[attempt - 1]?.promise ?? '')],
    });
    runtime.carryOut(runTool('slow', 1), host);
    await tick();
    runtime.carryOut({ type: 'cancel', effect, graceMs: 10 }, host);
    await clock.advance(10);
    runtime.carryOut(runTool('slow', 2), host);
    await tick();
    let dropped: unknown;
    void runtime.drop('ses_1' as SessionId).then((left) => (dropped = left));
    gates[1]?.resolve('second');
    await tick();
    expect(dropped).toBeUndefined();
    gates[0]?.resolve('first');
    await tick();
    expect(dropped).toEqual([]);
  });

  test('[O7] drop waits a bounded time and names what still runs', async () => {
    const { runtime, host, clock, notices } = setUp({ tools: [testTool('stuck', () => new Promise(() => {}))] });
    runtime.carryOut(runTool('stuck'), host);
    await tick();
    const dropped = runtime.drop('ses_1' as SessionId);
    await clock.advance(10_000);
    expect([await dropped, notices]).toEqual([[effect], ['effects still run after their session was dropped']]);
  });

  test('[O7] leave also ends what is kept between turns: the agent and the servers of the session', async () => {
    const ended: string[] = [];
    const agents: NonNullable<Capabilities['agents']> = {
      prompt: () => new Promise(() => {}),
      answer: () => undefined,
      release: async (session) => void ended.push(`agent of ${session}`),
      keeps: (session) => session === 'ses_1',
    };
    const { runtime } = setUp({ agents, releaseTools: async (session) => void ended.push(`tools of ${session}`) });
    await runtime.leave('ses_1' as SessionId);
    expect(ended).toEqual(['agent of ses_1', 'tools of ses_1']);
    expect(['ses_1', 'ses_2'].map((session) => runtime.keepsProcesses(session as SessionId))).toEqual([
      true,
      false,
    ]);
  });
});

test('[C46] a call whose facts cannot be had carries the problem: unknown tool, bad JSON, a describe that throws', async () => {
  const broken: Tool = {
    ...testTool('broken', () => ''),
    describe: () => {
      throw new Error('no idea');
    },
  };
  const late: Tool = { ...testTool('late', () => ''), describe: () => Promise.reject(new Error('no idea yet')) };
  const { runtime, host } = setUp({ tools: [broken, late] });
  const described = await runtime.describe(
    [
      { id: '1', tool: 'nothing', args: '{}' },
      { id: '2', tool: 'broken', args: '{' },
      { id: '3', tool: 'broken', args: '{}' },
      { id: '4', tool: 'late', args: '' },
    ],
    host,
  );
  expect(described.map(({ facts }) => facts.problem?.code)).toEqual([
    'unknown-tool',
    'invalid-arguments',
    'undescribed',
    'undescribed',
  ]);
});

test('[P2] a log of what broke names the effect and the kind of error, and nothing of its words', async () => {
  const logged: unknown[] = [];
  const { runtime, host } = setUp({
    tools: [
      testTool('fault', () => Promise.reject(new Fault('process', 'secret words'))),
      testTool('text', () => Promise.reject('secret words')),
    ],
    logger: { log: (level, message, fields) => void logged.push([level, message, fields]) },
    telemetry: {
      record: () => {
        throw new RangeError('secret words');
      },
    },
  });
  runtime.carryOut(runTool('fault'), host);
  await tick();
  runtime.carryOut(runTool('text', 2), host);
  await tick();
  expect(logged).toEqual([
    ['error', 'tool fault broke', { effect, error: 'Fault' }],
    ['error', 'telemetry failed', { effect, error: 'RangeError' }],
    ['error', 'tool text broke', { effect, error: 'string' }],
    ['error', 'telemetry failed', { effect, error: 'RangeError' }],
  ]);
});

test('[C119] after a session was dropped, the files of its turn are kept again before the next change', async () => {
  const taken: number[] = [];
  const checkpoints = {
    take: async (_state: unknown, turn: number) => {
      taken.push(turn);
      return undefined;
    },
    touch: () => Promise.resolve(),
    takeBefore: () => Promise.resolve('unused'),
    restore: () => Promise.resolve('unused'),
  };
  const { runtime, host } = setUp({ tools: [testTool('write', () => 'done')], checkpoints });
  const write = (attempt: number): Decision => ({
    type: 'run-tool',
    effect,
    attempt,
    call: { ...call('a', 'write'), facts: { ...call('a', 'write').facts, access: 'write' } },
  });
  for (const attempt of [1, 2]) {
    runtime.carryOut(write(attempt), host);
    await tick();
  }
  expect(taken).toEqual([3]);
  await runtime.drop('ses_1' as SessionId);
  runtime.carryOut(write(3), host);
  await tick();
  expect(taken).toEqual([3, 3]);
});
