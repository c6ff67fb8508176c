import { expect, test } from 'vitest';

import { modes } from '../kernel/mode.ts';
import type { FailureCode } from '../kernel/outcome.ts';
import { given, testTime, type GivenInput } from '../testing/given.ts';
import {
  changingCall,
  chat,
  created,
  interrupted,
  modelSettled,
  replied,
  timeReached,
} from '../testing/inputs.ts';
import { exitCodeOf, resultOf, type Outcome } from './result.ts';

const go = [created(), chat('go')] as const;
const failing = (code: FailureCode): GivenInput =>
  modelSettled('ses_1.4', { type: 'failed', code, message: 'no', retryable: false });

test('[C9] a run that completed', () => {
  expect(resultOf(given(...go, replied('ses_1.4', 'Hi.')).state, { text: 'Hi.' })).toEqual({
    type: 'result',
    session: 'ses_1',
    outcome: 'completed',
    text: 'Hi.',
    usage: { inputTokens: 10, outputTokens: 5, cost: 0.001, costIsKnown: true },
    steps: 1,
    toolCalls: 0,
    questions: [],
    refusals: [],
  });
});

test('[P9] a run that needs input names its questions', () => {
  const { state } = given(...go, replied('ses_1.4', '', [changingCall('c1')]));
  expect(resultOf(state, { text: '' })).toMatchObject({
    outcome: 'needs-input',
    reason: 'A question is open.',
    questions: state.questions,
  });
  expect(state.questions.length).toBe(1);
});

test.each<[outcome: Outcome, exitCode: number, inputs: readonly GivenInput[]]>([
  ['completed', 0, [created()]],
  ['failed', 1, [...go, failing('model-auth')]],
  ['failed', 1, [...go, failing('model-invalid')]],
  ['failed', 1, go],
  ['failed', 1, [...go, interrupted]],
  ['needs-input', 3, [...go, replied('ses_1.4', '', [changingCall('c1')])]],
  [
    'refused',
    4,
    [
      created({ mode: modes.batch, limits: { denials: 1 } }),
      chat('go'),
      replied('ses_1.4', '', [changingCall('c1')]),
    ],
  ],
  ['limit', 5, [created({ limits: { steps: 0 } }), chat('go')]],
  ['limit', 5, [created({ limits: { cost: 0 } }), chat('go')]],
  ['unavailable', 6, [...go, failing('model-unavailable')]],
  ['unavailable', 6, [...go, failing('model-rate-limited')]],
  [
    'timed-out',
    7,
    [
      created({ limits: { wallTimeMs: 10 } }),
      chat('go'),
      { ...timeReached('ses_1.4'), at: testTime + 10 },
      replied('ses_1.5', 'late'),
    ],
  ],
  ['cancelled', 130, [...go, interrupted, replied('ses_1.4', 'late')]],
])('%s has exit code %i', (outcome, exitCode, inputs) => {
  expect(resultOf(given(...inputs).state, { text: '' }).outcome).toBe(outcome);
  expect(exitCodeOf(outcome)).toBe(exitCode);
});

test('a turn that was left in the middle never passes for the one before it', () => {
  const { state } = given(...go, replied('ses_1.4', 'Hi.'), chat('again'));
  expect(resultOf(state, { text: '' })).toMatchObject({
    outcome: 'failed',
    reason: 'The run stopped before its turn ended.',
  });
});

test('uses the named ending, whatever the session did since', () => {
  const { state } = given(...go, replied('ses_1.4', 'Hi.'), chat('again'));
  expect(resultOf(state, { text: '', ending: { type: 'cancelled', reason: 'enough' } })).toMatchObject({
    outcome: 'cancelled',
    reason: 'enough',
  });
});
