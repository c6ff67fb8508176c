import { expect, test } from 'vitest';

import { reply } from '../testing/inputs.ts';
import { modelEndText, replyProblem } from './model-end.ts';

test('a reply that the provider cut off is complete for it, but not for the reader', () => {
  const cutOff = 'The reply was cut off at the length limit.';
  const outcomes = [reply('All.'), { ...reply('Hal'), stop: 'length' }] as const;
  expect(outcomes.map((outcome) => modelEndText(outcome))).toEqual(['', cutOff]);
  expect(outcomes.map((outcome) => replyProblem(outcome))).toEqual(['', cutOff]);
});
