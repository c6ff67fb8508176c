import { describe, expect, test } from 'vitest';

import type { Event } from '../kernel/event.ts';
import type { CallId, EffectId } from '../kernel/ids.ts';
import { newState } from '../kernel/state.ts';
import { given, question } from '../testing/given.ts';
import {
  answered,
  changingCall,
  chat,
  created,
  interrupted,
  modelFailed,
  replied,
  toolSettled,
} from '../testing/inputs.ts';
import { moveWorker, stateAfter, summaryOf, workerStateOf } from './worker-state.ts';
import type { WorkerState } from '../ports/workforce.ts';
import { timeAt } from '../kernel/time.ts';

const states: readonly WorkerState[] = [
  'inactive',
  'working',
  'requesting',
  'receiving',
  'waiting',
  'using-tool',
  'inactive-failed',
];

/** The states that a series of events passes through. `text` stands for streamed text. */
function passed(...events: readonly (Event | 'text')[]): readonly WorkerState[] {
  const seen: WorkerState[] = ['inactive'];
  for (const event of events) {
    const to = event === 'text' ? 'receiving' : stateAfter(event);
    const from = seen.at(-1) ?? 'inactive';
    if (to === undefined || to === from) continue;
    const next = moveWorker(from, to);
    if (typeof next !== 'string') throw new Error(next.reason);
    seen.push(next);
  }
  return seen;
}

const effect = 'ses_1.4' as EffectId;
const started: Event = { type: 'turn-started', prompt: 2 };
const asked: Event = { type: 'model-call-intended', reserved: 1 };
const tool: Event = { type: 'tool-run-intended', call: 'c' as CallId, repeat: 'safe' };
const answer: Event = {
  type: 'model-settled',
  effect,
  outcome: { type: 'completed', text: 'hi', calls: [], usage: { inputTokens: 1, outputTokens: 1 }, stop: 'end' },
};
const broke: Event = {
  type: 'model-settled',
  effect,
  outcome: { type: 'failed', code: 'model-unavailable', message: 'no', retryable: true },
};
const pause: Event = { type: 'wait-intended', why: 'error-pause', until: timeAt(9) };
const ended = (type: 'completed' | 'cancelled' | 'failed'): Event => ({
  type: 'turn-ended',
  ending: type === 'failed' ? { type, code: 'errors-in-row', message: 'no' } : { type },
});

describe('the states of a worker', () => {
  test.for<{ run: string; events: readonly (Event | 'text')[]; states: readonly WorkerState[] }>([
    {
      run: 'that answers',
      events: [started, asked, 'text', 'text', answer, ended('completed')],
      states: ['inactive', 'working', 'requesting', 'receiving', 'inactive'],
    },
    {
      run: 'whose model does not stream',
      events: [started, asked, answer, ended('completed')],
      states: ['inactive', 'working', 'requesting', 'receiving', 'inactive'],
    },
    {
      run: 'that uses a tool',
      events: [started, asked, answer, tool, asked, 'text', answer, ended('completed')],
      states: [
        'inactive',
        'working',
        'requesting',
        'receiving',
        'using-tool',
        'requesting',
        'receiving',
        'inactive',
      ],
    },
    {
      run: 'whose model fails',
      events: [started, asked, broke, pause, asked, broke, ended('failed')],
      states: ['inactive', 'working', 'requesting', 'waiting', 'requesting', 'inactive-failed'],
    },
    {
      run: 'that is cancelled',
      events: [started, asked, 'text', ended('cancelled')],
      states: ['inactive', 'working', 'requesting', 'receiving', 'inactive'],
    },
  ])('[C55] of a run $run', ({ events, states: expected }) => {
    expect(passed(...events)).toEqual(expected);
  });

  test('[C55] an illegal jump is refused', () => {
    expect(moveWorker('inactive', 'receiving')).toEqual({
      type: 'illegal-move',
      state: 'inactive',
      to: 'receiving',
      reason: "a worker can't change from inactive to receiving",
    });
    const refused = states.map((from) => states.filter((to) => typeof moveWorker(from, to) !== 'string').length);
    expect(refused).toEqual([5, 1, 2, 1, 2, 2, 5]);
  });

  test('[C55] are counted as idle, busy and idle-failed', () => {
    expect(states.map(summaryOf)).toEqual(['idle', 'busy', 'busy', 'busy', 'busy', 'busy', 'idle-failed']);
  });
});

test('[C55] are derived from the state of a session alone', () => {
  const x = changingCall('x');
  const at = (state: ReturnType<typeof newState>) => workerStateOf(state, { isStreaming: false });
  const calling = given(created(), chat('go')).state;
  const asking = given(created(), chat('go'), replied('ses_1.4', '', [x]));
  expect({
    new: at(newState('ses_1' as never)),
    idle: at(given(created()).state),
    calling: at(calling),
    streaming: workerStateOf(calling, { isStreaming: true }),
    asking: at(asking.state),
    running: at(asking.when(answered(question(6), 'allow-once')).transition.state),
    ended: at(given(created(), chat('go'), replied('ses_1.4', 'hi')).state),
    failed: at(given(created(), chat('go'), modelFailed('ses_1.4', false)).state),
    pausing: at(given(created(), chat('go'), modelFailed('ses_1.4')).state),
    cancelling: at(given(created(), chat('go'), interrupted, toolSettled('ses_1.9')).state),
  }).toEqual({
    new: 'inactive',
    idle: 'inactive',
    calling: 'requesting',
    streaming: 'receiving',
    asking: 'waiting',
    running: 'using-tool',
    ended: 'inactive',
    failed: 'inactive-failed',
    pausing: 'waiting',
    cancelling: 'requesting',
  });
});
