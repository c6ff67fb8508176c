import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, question, stepSoundly, type GivenInput } from '../testing/given.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  created,
  modelSettled,
  replied,
  reply,
  task,
  testUsage,
  timeReached,
  toolSettled,
} from '../testing/inputs.ts';
import type { Event } from './event.ts';
import { cappedLimits, defaultLimits, limitsBeyondDefaults, limitsFrom, tighteningLimits } from './limits.ts';
import type { LimitName } from './outcome.ts';
import { turnOf, type State } from './state.ts';
import { timeAt } from './time.ts';

const ended = (name: LimitName, limit: number): Event => ({
  type: 'turn-ended',
  ending: { type: 'failed', code: `limit-${name}`, message: `The turn reached its limit: ${name} ${limit}.` },
});
const ok = { type: 'success', output: 'ok' } as const;

/** A model that always calls a tool, until the turn ends. */
function runAway(limits: Partial<typeof defaultLimits>): {
  readonly state: State;
  readonly steps: number;
  readonly runs: number;
} {
  let { state } = given(created({ limits: { repeats: 0, ...limits } }), chat('go'));
  let steps = 0;
  let runs = 0;
  for (let turn = turnOf(state); turn !== undefined; turn = turnOf(state)) {
    const { activity } = turn;
    if (activity.type === 'calling-model') {
      steps += 1;
      state = stepSoundly(state, replied(activity.effect, '', [call(`c${steps}`)])).state;
    } else if (activity.type === 'running-calls') {
      runs += 1;
      state = stepSoundly(state, toolSettled(effect(state.seq))).state;
    }
  }
  return { state, steps, runs };
}

describe('a turn that would continue for ever', () => {
  test('[C5][P7][L1] stops at its 50 steps', () => {
    const { state, steps, runs } = runAway({ toolCalls: 1000 });

    expect({ steps, runs, ending: state.lastEnding?.ending }).toEqual({
      steps: 50,
      runs: 50,
      ending: { type: 'failed', code: 'limit-steps', message: 'The turn reached its limit: steps 50.' },
    });
  });

  test('[C5][P7][L2] stops at its 50 tool calls', () => {
    const { state, steps, runs } = runAway({ steps: 1000 });

    expect({ steps, runs, ending: state.lastEnding?.ending }).toEqual({
      steps: 51,
      runs: 50,
      ending: { type: 'failed', code: 'limit-tool-calls', message: 'The turn reached its limit: tool-calls 50.' },
    });
  });
});

describe('tool calls', () => {
  const [a, b, c] = [call('a'), call('b'), call('c')];

  test('[P7][L2] within the limit run to their end, those beyond it are refused and the turn ends', () => {
    given(created({ limits: { toolCalls: 2 } }))
      .when(task(a, b, c))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'task', calls: [a, b, c] }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          { type: 'tool-run-intended', call: a.id, repeat: 'safe', rule: 'reads' },
          { type: 'tool-run-intended', call: b.id, repeat: 'safe', rule: 'reads' },
        ),
        decisions(
          { type: 'run-tool', effect: effect(4), attempt: 1, call: a },
          { type: 'run-tool', effect: effect(5), attempt: 1, call: b },
        ),
      )
      .when(toolSettled('ses_1.4'))
      .then(events({ type: 'tool-settled', call: a.id, result: ok }))
      .when(toolSettled('ses_1.5'))
      .then(
        events(
          { type: 'tool-settled', call: b.id, result: ok },
          {
            type: 'call-refused',
            call: c.id,
            code: 'limit',
            reason: 'The turn ended before this call was started.',
          },
          ended('tool-calls', 2),
        ),
      );
  });

  test('[P7][L2] nobody is asked about a call that the limit forbids', () => {
    const x = changingCall('x');
    given(created({ limits: { toolCalls: 0 } }))
      .when(task(a, x))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'task', calls: [a, x] }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          {
            type: 'call-refused',
            call: a.id,
            code: 'limit',
            reason: 'The turn ended before this call was started.',
          },
          {
            type: 'call-refused',
            call: x.id,
            code: 'limit',
            reason: 'The turn ended before this call was started.',
          },
          ended('tool-calls', 0),
        ),
      );
  });
});

test('[C5][P7][L3] the second call that a person rejects ends the turn', () => {
  const [x, y] = [changingCall('x'), changingCall('y')];
  const no = { type: 'reject' } as const;
  given(created(), chat('go'), replied('ses_1.4', '', [x, y, changingCall('z')]), answered(question(6), no))
    .when(answered(question(7), no))
    .then(
      events(
        { type: 'question-answered', question: question(7), answer: no },
        {
          type: 'call-refused',
          call: y.id,
          code: 'person',
          reason: 'The user rejected this call.',
          rule: 'default',
        },
        { type: 'question-closed', question: question(8), reason: 'cancelled' },
        {
          type: 'call-refused',
          call: changingCall('z').id,
          code: 'limit',
          reason: 'The turn ended before this call was started.',
        },
        ended('rejections', 2),
      ),
    );
});

test('[P7][L3] denials by the policy end the turn before anything of that reply runs', () => {
  const rules = [{ verdict: 'deny', tool: 'change', origin: 'user' }] as const;
  const calls = [call('a'), changingCall('x'), changingCall('y')];
  const denied = { code: 'policy', reason: 'The user rule change denies this.', rule: 'change' } as const;
  given(created({ rules, limits: { denials: 2 } }), chat('go'))
    .when(replied('ses_1.4', '', calls))
    .then(
      events(
        { type: 'model-settled', effect: effect(4), outcome: reply('', calls) },
        { type: 'call-refused', call: changingCall('x').id, ...denied },
        { type: 'call-refused', call: changingCall('y').id, ...denied },
        {
          type: 'call-refused',
          call: call('a').id,
          code: 'limit',
          reason: 'The turn ended before this call was started.',
        },
        ended('denials', 2),
      ),
    );
});

describe('tokens', () => {
  test('[P7][L4] what may still be used is sent along as the output limit', () => {
    given(created({ limits: { tokens: 100 } }))
      .when(chat('hello'))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'chat', text: 'hello' }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          { type: 'model-call-intended', reserved: 100, maxOutputTokens: 98 },
        ),
        decisions({ type: 'call-model', effect: effect(4), attempt: 1, maxOutputTokens: 98 }),
      );
  });

  test('[P7][L4] the smaller of both output limits counts', () => {
    const { transition } = given(created({ limits: { tokens: 100, maxOutputTokens: 20 } })).when(chat('hello'));

    expect(transition.decisions).toEqual([
      { type: 'call-model', effect: effect(4), attempt: 1, maxOutputTokens: 20 },
    ]);
  });

  test('[P7][L4] a large budget sets aside no more than a reply can have, so that a crash does not cost all of it', () => {
    const { transition } = given(created({ limits: { tokens: 1_000_000 } })).when(chat('hello'));

    expect(transition.events.at(-1)?.event).toEqual({
      type: 'model-call-intended',
      reserved: 16_386,
      maxOutputTokens: 16_384,
    });
  });

  test('[P7][L4] a call that has no room left is not made', () => {
    given(created({ limits: { tokens: 16 } }), chat('hello'))
      .when(replied('ses_1.4', '', [call('a')]))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('', [call('a')]) },
          { type: 'tool-run-intended', call: call('a').id, repeat: 'safe', rule: 'reads' },
        ),
        decisions({ type: 'run-tool', effect: effect(6), attempt: 1, call: call('a') }),
      )
      .when(toolSettled('ses_1.6'))
      .then(events({ type: 'tool-settled', call: call('a').id, result: ok }, ended('tokens', 16)));
  });

  test('[P7][L4] they count over the whole session', () => {
    const { transition } = given(created({ limits: { tokens: 15 } }), chat('one'), replied('ses_1.4', 'Hi.')).when(
      chat('two'),
    );

    expect(transition.events.at(-1)?.event).toEqual(ended('tokens', 15));
  });
});

describe('cost', () => {
  const limits = { cost: 0.002 };
  test('[P7][L5] that is spent ends the turn before the next call', () => {
    given(created({ limits }), chat('one'), replied('ses_1.4', 'Hi.'), chat('two'), replied('ses_1.9', 'Yo.'))
      .when(chat('three'))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'chat', text: 'three' }, delivery: 'queue' },
          { type: 'turn-started', prompt: 12 },
          ended('cost', 0.002),
        ),
      );
  });

  test('[L5] a price that is unknown is counted as unknown and not as nothing', () => {
    const usage = { inputTokens: 3, outputTokens: 4 };
    const unpriced = { type: 'completed', text: 'Hi.', calls: [], usage, stop: 'end' } as const;
    const { state } = given(created({ limits }), chat('one'), modelSettled('ses_1.4', unpriced));

    expect(state.usage).toEqual({
      turns: 1,
      steps: 1,
      toolCalls: 0,
      inputTokens: 3,
      outputTokens: 4,
      cachedTokens: 0,
      reasoningTokens: 0,
      cost: 0,
      unpricedCalls: 1,
    });
  });

  test('[L5] what a failed call used is charged', () => {
    const failed = {
      type: 'failed',
      code: 'model-auth',
      message: 'no',
      retryable: false,
      usage: testUsage,
    } as const;

    expect(given(created(), chat('one'), modelSettled('ses_1.4', failed)).state.usage.inputTokens).toBe(10);
  });
});

describe('wall time', () => {
  const limited: readonly GivenInput[] = [created({ limits: { wallTimeMs: 60_000 } }), chat('go')];

  test('[P7][L6] is armed with the turn and disarmed at its end', () => {
    given(created({ limits: { wallTimeMs: 60_000 } }))
      .when(chat('go'))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'chat', text: 'go' }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          { type: 'wait-intended', why: 'wall-time', until: timeAt(1_060_000) },
          { type: 'model-call-intended', reserved: 1 },
        ),
        decisions(
          { type: 'wait-until', effect: effect(4), until: timeAt(1_060_000) },
          { type: 'call-model', effect: effect(5), attempt: 1 },
        ),
      )
      .when(replied('ses_1.5', 'Hi.'))
      .then(
        events(
          { type: 'model-settled', effect: effect(5), outcome: reply('Hi.') },
          { type: 'turn-ended', ending: { type: 'completed' } },
        ),
        decisions({ type: 'cancel', effect: effect(4), graceMs: 0 }),
      );
  });

  test('[P7][L6] that is over ends the turn as timed out, what is in flight cancelled first', () => {
    const ending = { type: 'timed-out', message: 'The turn reached its limit of 60000 ms.' } as const;
    given(...limited)
      .when(timeReached(effect(4)))
      .then(
        events(
          { type: 'wait-ended', effect: effect(4) },
          { type: 'turn-interrupted', ending },
          { type: 'wait-intended', why: 'cancel-grace', until: timeAt(1_006_000) },
        ),
        decisions(
          { type: 'cancel', effect: effect(5), graceMs: 5000 },
          { type: 'wait-until', effect: effect(8), until: timeAt(1_006_000) },
        ),
      )
      .when(replied('ses_1.5', ''))
      .then(
        events(
          { type: 'model-settled', effect: effect(5), outcome: { type: 'cancelled', usage: testUsage } },
          { type: 'turn-ended', ending },
        ),
        decisions({ type: 'cancel', effect: effect(8), graceMs: 0 }),
      );
  });

  test('[L6] that is over while the turn is being cancelled changes nothing of its ending', () => {
    given(...limited, { type: 'interrupted' })
      .when(timeReached(effect(4)))
      .then(events({ type: 'wait-ended', effect: effect(4) }));
  });
});

describe('a limit that changes', () => {
  test('[L7] counts from the next decision on', () => {
    given(created(), chat('go'), replied('ses_1.4', '', [call('a')]), {
      type: 'limits-changed',
      limits: { steps: 1 },
    })
      .when(toolSettled('ses_1.6'))
      .then(events({ type: 'tool-settled', call: call('a').id, result: ok }, ended('steps', 1)));
  });

  test('[L7] leaves the other limits as they are', () => {
    expect(
      given(created({ limits: { steps: 3 } }), { type: 'limits-changed', limits: { cost: 1 } }).state.limits,
    ).toEqual({
      ...defaultLimits,
      steps: 3,
      cost: 1,
    });
  });

  test('[C5][L7] those that are not named have their default', () => {
    expect(limitsFrom(undefined)).toBe(defaultLimits);
    expect(limitsFrom({ rejections: 1 })).toEqual({ ...defaultLimits, rejections: 1 });
  });
});

test('[L8] a queue continues after a turn that ended at a limit', () => {
  const { transition } = given(
    created({ limits: { steps: 1 } }),
    chat('go'),
    chat('next'),
    replied('ses_1.4', '', [call('a')]),
  ).when(toolSettled('ses_1.7'));

  expect(transition.events.map(({ event }) => event.type)).toEqual([
    'tool-settled',
    'turn-ended',
    'turn-started',
    'model-call-intended',
  ]);
});

test('[L8] whatever limit it was', () => {
  const no = { type: 'reject' } as const;
  const { transition } = given(
    created({ limits: { rejections: 1 } }),
    chat('go'),
    chat('next'),
    replied('ses_1.4', '', [changingCall('x')]),
  ).when(answered(question(7), no));

  expect(transition.events.map(({ event }) => event.type)).toEqual([
    'question-answered',
    'call-refused',
    'turn-ended',
    'turn-started',
    'model-call-intended',
  ]);
});

test('[P7] what a session sets beyond the defaults is all that it records', () => {
  expect(limitsBeyondDefaults(defaultLimits)).toEqual({});
  expect(limitsBeyondDefaults({ ...defaultLimits, steps: 7, tokens: 100 })).toEqual({ steps: 7, tokens: 100 });
});

test('[P7] caps lower what is above them and leave the rest', () => {
  expect(cappedLimits({ steps: 9, tokens: 5, cost: 2 }, { steps: 4, tokens: 50 })).toEqual({
    steps: 4,
    tokens: 5,
    cost: 2,
  });
});

test('[P7] every budget of a session counts as stricter when it is smaller', () => {
  const budgets = [
    'steps',
    'toolCalls',
    'totalToolCalls',
    'rejections',
    'denials',
    'errorsInRow',
    'queuedPrompts',
  ];
  const others = ['callsInFlight', 'children', 'modelRepeats', 'recoveries', 'tokens', 'cost', 'wallTimeMs'];
  expect([...tighteningLimits].toSorted()).toEqual([...budgets, ...others, 'maxOutputTokens'].toSorted());
});
