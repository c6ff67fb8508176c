import { describe, expect, test } from 'vitest';

import { effect, given, question, testTime } from '../../testing/given.ts';
import { call, changingCall, chat, created, interrupted, modelFailed, replied } from '../../testing/inputs.ts';
import { system } from '../actor.ts';
import { readyCalls } from './call-graph.ts';
import type { Event } from '../event.ts';
import { evolve } from '../evolve/evolve.ts';
import type { CallId } from '../ids.ts';
import { brokenInvariants } from './invariants.ts';
import type { Activity, State } from '../state.ts';

const idle = given(created()).state;
const calling = given(created(), chat('go')).state;
const asking = given(created(), chat('go'), replied('ses_1.4', '', [changingCall('x')])).state;
const pausing = given(created(), chat('go'), modelFailed('ses_1.4')).state;
const cancelling = given(created(), chat('go'), interrupted).state;
const queued = given(created(), chat('go'), chat('next')).state.queue;

function doing(state: State, activity: Activity): State {
  if (state.phase.type !== 'turn' && state.phase.type !== 'cancelling') throw new Error('a turn is running');
  return { ...state, phase: { ...state.phase, turn: { ...state.phase.turn, activity } } };
}

describe('a state that cannot come about is reported by its rule:', () => {
  const planned: Activity = { type: 'running-calls', calls: [{ type: 'planned', call: call('a') }] };
  const allSettled: Activity = {
    type: 'running-calls',
    calls: [{ type: 'settled', id: call('a').id, result: 'success' }],
  };
  const closedOnes = Array.from(
    { length: 33 },
    (_, seq) => ({ id: question(seq), by: system, at: 0, ending: 'expired' }) as const,
  );

  test.for<{ id: string; state: State; breaks: readonly string[] }>([
    { id: 'I1', state: { ...idle, seq: -1 }, breaks: ['I1'] },
    { id: 'I2', state: doing(calling, { type: 'ready' }), breaks: ['I2'] },
    { id: 'I2', state: doing(calling, { type: 'replied', reply: 5, refused: false }), breaks: ['I2'] },
    { id: 'I3', state: { ...asking, questions: [] }, breaks: ['I3'] },
    { id: 'I3', state: { ...calling, questions: asking.questions }, breaks: ['I3'] },
    { id: 'I4', state: { ...idle, waits: pausing.waits }, breaks: ['I4'] },
    { id: 'I5', state: { ...idle, queue: queued }, breaks: ['I5'] },
    { id: 'I6', state: { ...pausing, waits: [] }, breaks: ['I6'] },
    { id: 'I7', state: doing(cancelling, { type: 'pausing', wait: effect(6) }), breaks: ['I7'] },
    { id: 'I8', state: doing(calling, allSettled), breaks: ['I8', 'I12'] },
    { id: 'I9', state: { ...idle, phase: { type: 'closed' }, queue: queued }, breaks: ['I9'] },
    { id: 'I10', state: { ...idle, closedQuestions: closedOnes }, breaks: ['I10'] },
    { id: 'I11', state: { ...cancelling, waits: [] }, breaks: ['I11'] },
    { id: 'I12', state: doing(calling, planned), breaks: ['I12'] },
  ])('$id', ({ state, breaks }) => {
    expect(brokenInvariants(state)).toEqual(breaks);
  });

  test('and a sound one by none', () => {
    expect([idle, calling, asking, pausing, cancelling].flatMap(brokenInvariants)).toEqual([]);
  });
});

describe('an event that cannot follow stops the fold:', () => {
  const approval = asking.questions[0]?.about;
  if (approval?.type !== 'approval') throw new Error('an approval is open');
  const rows: readonly { readonly rule: string; readonly state: State; readonly event: Event }[] = [
    { rule: 'E1: a turn is running', state: idle, event: { type: 'turn-ended', ending: { type: 'completed' } } },
    {
      rule: 'E1: a turn is running',
      state: idle,
      event: { type: 'turn-interrupted', ending: { type: 'cancelled' } },
    },
    { rule: 'E1: a turn is running', state: idle, event: { type: 'model-call-intended', reserved: 0 } },
    {
      rule: 'E1: a turn is running',
      state: idle,
      event: { type: 'effect-repeated', effect: effect(4), attempt: 2 },
    },
    {
      rule: 'E2: a call belongs to a turn that runs calls',
      state: calling,
      event: { type: 'tool-settled', call: call('a').id, result: { type: 'cancelled' } },
    },
    {
      rule: 'E3: only a running call can be unsure',
      state: asking,
      event: { type: 'question-opened', about: { type: 'repeat', what: 'x', call: approval.call, reason: '' } },
    },
    {
      rule: 'E3: only an effect in flight can be unsure',
      state: pausing,
      event: { type: 'question-opened', about: { type: 'repeat', what: 'x', reason: '' } },
    },
    {
      rule: 'E4: a turn takes its prompts from the queue',
      state: idle,
      event: { type: 'turn-started', prompt: 9 },
    },
    {
      rule: 'E5: only an effect in flight is repeated',
      state: pausing,
      event: { type: 'effect-repeated', effect: effect(4), attempt: 2 },
    },
    {
      rule: 'Q1: only an open question is answered',
      state: idle,
      event: { type: 'question-answered', question: question(6), answer: { type: 'reject' } },
    },
  ];
  test.for(rows)('$rule', ({ rule, state, event }) => {
    const recorded = { seq: state.seq + 1, at: testTime, by: system, event };

    expect(() => evolve(state, recorded)).toThrow(`Broken invariant ${rule}`);
  });

  test('E6: calls that wait for themselves have been refused', () => {
    const circle = call('a', 'look', {}, { after: ['a' as CallId] });

    expect(() => readyCalls([{ type: 'planned', call: circle }])).toThrow('Broken invariant E6');
  });
});

test('[S7] an event of a program with its own step changes nothing but the sequence', () => {
  const event = { type: 'custom', name: 'mine', data: { n: 1 } } as const;

  expect(evolve(idle, { seq: 2, at: 5, by: system, event })).toEqual({ ...idle, seq: 2, updatedAt: 5 });
});
