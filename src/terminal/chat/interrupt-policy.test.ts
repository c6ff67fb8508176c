import { expect, test } from 'vitest';

import { createInterruptPolicy } from './interrupt-policy.ts';

const pressedAt = (...times: readonly number[]) => {
  const policy = createInterruptPolicy();
  return times.map((at) => policy.press({ at, isWorking: true }));
};

test('[C17] a second Ctrl+C within a second leaves; a later one cancels again', () => {
  expect(pressedAt(0, 500)).toEqual(['cancel', 'leave']);
  expect(pressedAt(0, 1000)).toEqual(['cancel', 'leave']);
  expect(pressedAt(0, 1500)).toEqual(['cancel', 'cancel']);
  expect(pressedAt(0, 1500, 2000)).toEqual(['cancel', 'cancel', 'leave']);
});

test('[C17] at the prompt it leaves at once', () => {
  expect(createInterruptPolicy().press({ at: 0, isWorking: false })).toBe('leave');
});

test('[C17] work that ended between two presses changes nothing: the second leaves', () => {
  const policy = createInterruptPolicy();
  expect(policy.press({ at: 0, isWorking: true })).toBe('cancel');
  expect(policy.press({ at: 400, isWorking: false })).toBe('leave');
});
