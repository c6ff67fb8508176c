import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, stepSoundly } from '../testing/given.ts';
import {
  call,
  chat,
  created,
  modelFailed,
  modelSettled,
  replied,
  task,
  timeReached,
  toolSettled,
} from '../testing/inputs.ts';
import type { Event } from './event.ts';
import type { ModelOutcome } from './input.ts';
import { turnOf, type State } from './state.ts';
import { timeAt } from './time.ts';

const fault = { type: 'error', code: 'fault', message: 'disk full', fault: true } as const;
const pauseEnds = 1_003_000;

/** Runs a turn along a script of results and returns each outcome. */
function along(script: readonly ('fail' | 'ok')[], of: 'model' | 'tool'): readonly string[] {
  let { state } = given(created(), chat('go'));
  return script.map((result, index) => {
    state = atCall(state, of, index);
    const activity = turnOf(state)?.activity;
    if (of === 'model' && activity?.type === 'calling-model') {
      const input = result === 'fail' ? modelFailed(activity.effect) : replied(activity.effect, '', [call('ok')]);
      state = stepSoundly(state, input).state;
      if (result === 'ok') state = stepSoundly(state, toolSettled(effect(state.seq))).state;
    } else {
      state = stepSoundly(state, toolSettled(effect(state.seq), result === 'fail' ? fault : 'ok')).state;
    }
    const { phase, waits } = state;
    if (phase.type === 'idle') return `halts: ${JSON.stringify(state.lastEnding?.ending)}`;
    return waits.length === 0 ? 'goes on' : `pauses ${waits.map(({ until }) => until - 1_000_000).join()} ms`;
  });
}

/** Ends a pause if there is one, and lets the model request a tool if one should run. */
function atCall(state: State, of: 'model' | 'tool', index: number): State {
  const [wait] = state.waits;
  const awake = wait === undefined ? state : stepSoundly(state, timeReached(wait.effect)).state;
  return of === 'model' ? awake : stepSoundly(awake, replied(effect(awake.seq), '', [call(`c${index}`)])).state;
}

describe('errors in a row', () => {
  const script = ['fail', 'ok', 'fail', 'fail', 'fail'] as const;

  test('[C7][P7][B1] of a model: fail, ok, fail, fail, fail halts on the fifth only, with a pause of 3 s after each', () => {
    expect(along(script, 'model')).toEqual([
      'pauses 3000 ms',
      'goes on',
      'pauses 3000 ms',
      'pauses 3000 ms',
      'halts: {"type":"failed","code":"model-unavailable","message":"3 errors in a row; the last: no answer"}',
    ]);
  });

  test('[C7][P7][B1] of tools: the same', () => {
    expect(along(script, 'tool')).toEqual([
      'pauses 3000 ms',
      'goes on',
      'pauses 3000 ms',
      'pauses 3000 ms',
      'halts: {"type":"failed","code":"errors-in-row","message":"3 errors in a row. Fix the cause and prompt again."}',
    ]);
  });

  test('[B1] an error that a tool reports as its answer is none of them', () => {
    const answer = { type: 'error', code: 'exit', message: 'exit 1' } as const;
    const { state } = given(
      created(),
      chat('go'),
      replied('ses_1.4', '', [call('a')]),
      toolSettled('ses_1.6', answer),
    );

    expect(turnOf(state)).toMatchObject({ errorsInRow: 0, pauseDue: false });
  });

  test('[B1] of a task halt it and cancel what still runs', () => {
    const calls = [call('a'), call('b'), call('c'), call('d')];
    given(created(), task(...calls), toolSettled('ses_1.4', fault), toolSettled('ses_1.5', fault))
      .when(toolSettled('ses_1.6', fault))
      .then(
        events(
          { type: 'tool-settled', call: call('c').id, result: fault },
          {
            type: 'turn-interrupted',
            ending: {
              type: 'failed',
              code: 'errors-in-row',
              message: '3 errors in a row. Fix the cause and prompt again.',
            },
          },
          { type: 'wait-intended', why: 'cancel-grace', until: timeAt(1_006_000) },
        ),
        decisions(
          { type: 'cancel', effect: effect(7), graceMs: 5000 },
          { type: 'wait-until', effect: effect(12), until: timeAt(1_006_000) },
        ),
      );
  });
});

test('[C7][B2] the pause is a wait in the journal, and the call after it a new effect', () => {
  given(created(), chat('go'))
    .when(modelFailed('ses_1.4'))
    .then(
      events(
        { type: 'model-settled', effect: effect(4), outcome: modelFailed('').outcome },
        { type: 'wait-intended', why: 'error-pause', until: timeAt(pauseEnds) },
      ),
      decisions({ type: 'wait-until', effect: effect(6), until: timeAt(pauseEnds) }),
    )
    .when(timeReached(effect(6)))
    .then(
      events({ type: 'wait-ended', effect: effect(6) }, { type: 'model-call-intended', reserved: 1 }),
      decisions({ type: 'call-model', effect: effect(8), attempt: 1 }),
    );
});

test('[B3] a provider that names a time is waited for until then', () => {
  const limited = {
    type: 'failed',
    code: 'model-rate-limited',
    message: 'later',
    retryable: true,
    retryAt: timeAt(9_000_000),
  } as const;
  given(created(), chat('go'))
    .when(modelSettled('ses_1.4', limited))
    .then(
      events(
        { type: 'model-settled', effect: effect(4), outcome: limited },
        { type: 'wait-intended', why: 'provider-reset', until: timeAt(9_000_000) },
      ),
      decisions({ type: 'wait-until', effect: effect(6), until: timeAt(9_000_000) }),
    )
    .when(timeReached(effect(6)))
    .then(
      events({ type: 'wait-ended', effect: effect(6) }, { type: 'model-call-intended', reserved: 1 }),
      decisions({ type: 'call-model', effect: effect(8), attempt: 1 }),
    );
});

describe('an ending that trying again cannot change', () => {
  test.for<{ name: string; outcome: ModelOutcome; ending: Extract<Event, { type: 'turn-ended' }>['ending'] }>([
    {
      name: 'a failure that is not retryable',
      outcome: { type: 'failed', code: 'model-auth', message: 'no key', retryable: false },
      ending: { type: 'failed', code: 'model-auth', message: 'no key' },
    },
    {
      name: 'a call somebody cancelled',
      outcome: { type: 'cancelled', reason: 'shut down' },
      ending: { type: 'cancelled', reason: 'shut down' },
    },
    { name: 'the same without a reason', outcome: { type: 'cancelled' }, ending: { type: 'cancelled' } },
    {
      name: 'a refusal',
      outcome: {
        type: 'completed',
        text: 'No.',
        calls: [],
        usage: { inputTokens: 1, outputTokens: 1 },
        stop: 'refusal',
      },
      ending: { type: 'failed', code: 'model-refused', message: 'The model refused to answer.' },
    },
  ])('[B4] $name ends the turn', ({ outcome, ending }) => {
    given(created(), chat('go'))
      .when(modelSettled('ses_1.4', outcome))
      .then(events({ type: 'model-settled', effect: effect(4), outcome }, { type: 'turn-ended', ending }));
  });
});

test('[C7][B1] a model that stays silent counts as an error and names the last one', () => {
  const silence = { type: 'timed-out', message: 'no word for 60 s' } as const;
  const { transition } = given(created({ limits: { errorsInRow: 1 } }), chat('go')).when(
    modelSettled('ses_1.4', silence),
  );

  expect(transition.events.at(-1)?.event).toEqual({
    type: 'turn-ended',
    ending: { type: 'failed', code: 'errors-in-row', message: '1 errors in a row; the last: no word for 60 s' },
  });
});
