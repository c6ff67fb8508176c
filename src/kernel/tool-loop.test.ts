import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, stepSoundly, type GivenInput } from '../testing/given.ts';
import {
  call,
  changingCall,
  chat,
  created,
  replied,
  reply,
  task,
  testUsage,
  toolSettled,
} from '../testing/inputs.ts';
import { effectsInFlight } from './decide/end-turn.ts';
import type { CallId } from './ids.ts';
import { turnOf } from './state.ts';
import { timeAt } from './time.ts';

const allowAll = { rules: [{ verdict: 'allow', tool: '*', origin: 'user' }] } as const;
const ok = { type: 'success', output: 'ok' } as const;
const ids = (...names: readonly string[]) => names as readonly CallId[];

test('[C29][T3] results go back to the model until it answers', () => {
  const [a, b] = [call('a'), call('b')];
  given(created(), chat('look at both'))
    .when(replied('ses_1.4', 'Looking.', [a, b]))
    .then(
      events(
        { type: 'model-settled', effect: effect(4), outcome: reply('Looking.', [a, b]) },
        { type: 'tool-run-intended', call: a.id, repeat: 'safe', rule: 'reads' },
        { type: 'tool-run-intended', call: b.id, repeat: 'safe', rule: 'reads' },
      ),
      decisions(
        { type: 'run-tool', effect: effect(6), attempt: 1, call: a },
        { type: 'run-tool', effect: effect(7), attempt: 1, call: b },
      ),
    )
    .when(toolSettled('ses_1.7', 'B'))
    .then(events({ type: 'tool-settled', call: b.id, result: { type: 'success', output: 'B' } }))
    .when(toolSettled('ses_1.6', 'A'))
    .then(
      events(
        { type: 'tool-settled', call: a.id, result: { type: 'success', output: 'A' } },
        { type: 'model-call-intended', reserved: 9 },
      ),
      decisions({ type: 'call-model', effect: effect(10), attempt: 1 }),
    )
    .when(replied('ses_1.10', 'Done.'))
    .then(
      events(
        { type: 'model-settled', effect: effect(10), outcome: reply('Done.') },
        { type: 'turn-ended', ending: { type: 'completed' } },
      ),
    );
});

test.for([
  { name: 'an error', result: { type: 'error', code: 'exit', message: 'exit 1', retryable: false } },
  { name: 'a result with data', result: { type: 'success', output: '2 lines', data: { lines: 2 } } },
  { name: 'a cancelled run', result: { type: 'cancelled', output: 'half' } },
] as const)('[C29][C30][T3] $name is an answer that the model reads', ({ result }) => {
  const { transition } = given(created(), chat('go'), replied('ses_1.4', '', [call('a')])).when(
    toolSettled('ses_1.6', result),
  );

  expect(transition.events.map(({ event }) => event)).toEqual([
    { type: 'tool-settled', call: 'a', result },
    { type: 'model-call-intended', reserved: expect.any(Number) as number },
  ]);
});

describe('the order of runs', () => {
  test('[C8][O1] exclusive calls run one after another', () => {
    const [x, y] = [changingCall('x'), changingCall('y')];
    given(created(allowAll), chat('go'))
      .when(replied('ses_1.4', '', [x, y]))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('', [x, y]) },
          { type: 'tool-run-intended', call: x.id, repeat: 'never', rule: '*' },
        ),
        decisions({ type: 'run-tool', effect: effect(6), attempt: 1, call: x }),
      )
      .when(toolSettled('ses_1.6'))
      .then(
        events(
          { type: 'tool-settled', call: x.id, result: ok },
          { type: 'tool-run-intended', call: y.id, repeat: 'never', rule: '*' },
        ),
        decisions({ type: 'run-tool', effect: effect(8), attempt: 1, call: y }),
      );
  });

  test('[C8][O4] of eleven calls never more than ten are in flight', () => {
    const eleven = Array.from({ length: 11 }, (_, index) => call(`c${index}`));
    let { state } = given(created(), chat('go'), replied('ses_1.4', '', eleven));
    const inFlight: number[] = [];
    for (let turn = turnOf(state); turn?.activity.type === 'running-calls'; turn = turnOf(state)) {
      const running = effectsInFlight(turn);
      inFlight.push(running.length);
      state = stepSoundly(state, toolSettled(running[0] ?? '')).state;
    }

    expect(inFlight).toEqual([10, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test('[C8][O4] of those that are ready the one with the highest priority runs first', () => {
    const calls = [
      call('low', 'look', {}, { priority: -1 }),
      call('plain'),
      call('high', 'look', {}, { priority: 5 }),
    ];
    const { transition } = given(created({ limits: { callsInFlight: 1 } }), chat('go')).when(
      replied('ses_1.4', '', calls),
    );
    const order = [transition.decisions];
    let { state } = transition;
    for (const seq of [6, 8]) {
      const next = stepSoundly(state, toolSettled(effect(seq)));
      order.push(next.decisions);
      state = next.state;
    }

    expect(
      order.flat().map((decision) => (decision.type === 'run-tool' ? decision.call.id : decision.type)),
    ).toEqual(['high', 'plain', 'low']);
  });

  test('[O4] a bound below one still lets one call run', () => {
    given(created({ limits: { callsInFlight: 0 } }))
      .when(task(call('a'), call('b')))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'task', calls: [call('a'), call('b')] }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          { type: 'tool-run-intended', call: call('a').id, repeat: 'safe', rule: 'reads' },
        ),
        decisions({ type: 'run-tool', effect: effect(4), attempt: 1, call: call('a') }),
      );
  });

  test('[C8][O2] calls that wait for themselves or for nobody are refused, and the others run', () => {
    const a = call('a', 'look', {}, { after: ids('b') });
    const b = call('b', 'look', {}, { after: ids('a') });
    const c = call('c', 'look', {}, { after: ids('z') });
    const d = call('d', 'look', {}, { after: ids('c') });
    const itself = 'It waits, directly or through others, for itself.';
    const unknown = 'It waits for the call z, which is not part of this reply.';
    given(created(), chat('go'))
      .when(replied('ses_1.4', '', [a, b, c, d]))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('', [a, b, c, d]) },
          { type: 'call-refused', call: a.id, code: 'graph', reason: itself },
          { type: 'call-refused', call: b.id, code: 'graph', reason: itself },
          { type: 'call-refused', call: c.id, code: 'graph', reason: unknown },
          { type: 'tool-run-intended', call: d.id, repeat: 'safe', rule: 'reads' },
        ),
        decisions({ type: 'run-tool', effect: effect(9), attempt: 1, call: d }),
      );
  });
});

test('[O3] a reply with two calls of one name is an error of the model, tried again after a pause', () => {
  const twice = [call('a'), call('a')];
  given(created(), chat('go'))
    .when(replied('ses_1.4', '', twice))
    .then(
      events(
        {
          type: 'model-settled',
          effect: effect(4),
          outcome: {
            type: 'failed',
            code: 'model-invalid',
            message: 'the model gave two tool calls the id a; choose another model if this happens again',
            retryable: true,
            usage: testUsage,
          },
        },
        { type: 'wait-intended', why: 'error-pause', until: timeAt(1_003_000) },
      ),
      decisions({ type: 'wait-until', effect: effect(6), until: timeAt(1_003_000) }),
    );
});

test('[G5] a call whose facts could not be worked out never runs; its problem is its result', () => {
  const bad = call('a', 'look', { problem: { code: 'bad-arguments', message: 'path is missing' } });
  given(created(), chat('go'))
    .when(replied('ses_1.4', '', [bad]))
    .then(
      events(
        { type: 'model-settled', effect: effect(4), outcome: reply('', [bad]) },
        {
          type: 'tool-settled',
          call: bad.id,
          result: { type: 'error', code: 'bad-arguments', message: 'path is missing' },
        },
        { type: 'model-call-intended', reserved: 6 },
      ),
      decisions({ type: 'call-model', effect: effect(7), attempt: 1 }),
    );
});

describe('a task', () => {
  test('[T2] ends as refused where the policy turned down all that did not succeed', () => {
    const denied = { verdict: 'deny', tool: 'change', origin: 'user' } as const;
    const { state } = given(created({ rules: [denied] }), task(changingCall('a')));
    expect(state.lastEnding?.ending).toEqual({
      type: 'failed',
      code: 'task-refused',
      message: "1 of the task's calls did not succeed.",
    });
  });

  test.for([
    { name: 'completes when every call succeeds', result: ok, ending: { type: 'completed' } },
    {
      name: 'fails when one does not',
      result: { type: 'error', code: 'exit', message: 'exit 1' },
      ending: { type: 'failed', code: 'task-failed', message: "1 of the task's calls did not succeed." },
    },
  ] as const)('[T2] $name', ({ result, ending }) => {
    given(created(), task(call('a'), call('b')), toolSettled('ses_1.4'))
      .when(toolSettled('ses_1.5', result))
      .then(events({ type: 'tool-settled', call: call('b').id, result }, { type: 'turn-ended', ending }));
  });
});

describe('a call that is a job', () => {
  const job = call('a', 'delegate', { runs: 'job' });
  const running: readonly GivenInput[] = [created(), chat('go'), replied('ses_1.4', '', [job])];

  test('[T4] is started and settles when the job does', () => {
    given(created(), chat('go'))
      .when(replied('ses_1.4', '', [job]))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('', [job]) },
          { type: 'job-intended', call: job.id },
        ),
        decisions({ type: 'start-job', effect: effect(6), attempt: 1, call: job }),
      )
      .when({ type: 'job-settled', effect: effect(6), attempt: 1, result: ok })
      .then(
        events({ type: 'tool-settled', call: job.id, result: ok }, { type: 'model-call-intended', reserved: 3 }),
        decisions({ type: 'call-model', effect: effect(8), attempt: 1 }),
      );
  });

  test('[T4][C6] is cancelled with its turn', () => {
    const { transition } = given(...running).when({ type: 'interrupted' });

    expect(transition.decisions).toContainEqual({ type: 'cancel', effect: effect(6), graceMs: 5000 });
  });
});

describe('[R1] a settlement that is late or names nothing in flight is ignored:', () => {
  test.for<{ name: string; input: GivenInput }>([
    { name: 'another effect', input: toolSettled('ses_1.99') },
    { name: 'an earlier attempt', input: toolSettled('ses_1.6', 'ok', 0) },
    { name: 'a later attempt', input: toolSettled('ses_1.6', 'ok', 2) },
    { name: 'the model that answered already', input: replied('ses_1.4', 'again') },
    {
      name: 'an external agent',
      input: { type: 'agent-turn-settled', effect: effect(6), attempt: 1, outcome: { type: 'completed' } },
    },
    {
      name: 'its report',
      input: { type: 'agent-reported', effect: effect(6), attempt: 1, report: { type: 'message', text: 'x' } },
    },
    { name: 'a timer', input: { type: 'time-reached', effect: effect(6) } },
  ])('$name', ({ input }) => {
    given(created(), chat('go'), replied('ses_1.4', '', [call('a')]))
      .when(input)
      .then(events());
  });
});
