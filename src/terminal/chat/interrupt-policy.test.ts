import { expect, test } from 'vitest';

import { createInterruptPolicy, type Press } from './interrupt-policy.ts';

const pressed = (...presses: readonly Press[]) => {
  const policy = createInterruptPolicy();
  return presses.map((press) => policy.press(press));
};
const working = (at: number) => ({ at, isWorking: true });
const idle = (at: number) => ({ at, isWorking: false });

test('[C17] a second Ctrl+C within two seconds leaves; a later one cancels again', () => {
  expect(pressed(working(0), working(500))).toEqual(['cancel', 'leave']);
  expect(pressed(working(0), working(2000))).toEqual(['cancel', 'leave']);
  expect(pressed(working(0), working(2500))).toEqual(['cancel', 'cancel']);
  expect(pressed(working(0), working(2500), working(3000))).toEqual(['cancel', 'cancel', 'leave']);
});

test('[C17] at the prompt the first press only warns', () => {
  expect(pressed(idle(0), idle(1500))).toEqual(['warn', 'leave']);
  expect(pressed(idle(0), idle(2500), idle(5000))).toEqual(['warn', 'warn', 'warn']);
});

test('[C17] a draft is cleared first, then the turn is stopped, then the chat is left', () => {
  const presses = [{ ...working(0), hasDraft: true }, working(300), working(600)];
  expect(pressed(...presses)).toEqual(['clear', 'cancel', 'leave']);
  expect(pressed({ ...idle(0), hasDraft: true }, idle(300))).toEqual(['clear', 'leave']);
});

test('[C17] work that ended between two presses changes nothing: the second leaves', () => {
  expect(pressed(working(0), idle(400))).toEqual(['cancel', 'leave']);
});
