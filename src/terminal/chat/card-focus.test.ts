import { expect, test } from 'vitest';

import { createCardFocus } from './card-focus.ts';

function setUp() {
  const given = { now: 10_000, question: undefined as string | undefined, isFree: true };
  const focus = createCardFocus({
    question: () => given.question,
    isFree: () => given.isFree,
    now: () => given.now,
  });
  const after = (ms: number) => {
    given.now += ms;
    focus.look();
    return focus.place;
  };
  return { given, focus, after };
}

test('[C128] a question that comes while somebody types takes no keystroke', () => {
  const { given, focus, after } = setUp();
  focus.pressed();
  given.question = 'q_1';
  expect([after(100), after(500)]).toEqual(['prompt', 'prompt']);
  focus.pressed();
  expect(after(600)).toBe('prompt');
  expect(after(200)).toBe('soon');
  expect(after(299)).toBe('soon');
  expect(after(1)).toBe('card');
});

test('[C128] a draft keeps the keys, however long it stands', () => {
  const { given, after } = setUp();
  given.question = 'q_1';
  given.isFree = false;
  expect(after(60_000)).toBe('prompt');
  given.isFree = true;
  expect(after(1)).toBe('soon');
});

test('Tab goes to the card and back, and the card doesn’t take the keys again by itself', () => {
  const { given, focus, after } = setUp();
  given.question = 'q_1';
  after(0);
  expect(after(300)).toBe('card');
  focus.toggle();
  expect(after(5000)).toBe('prompt');
  focus.toggle();
  expect([focus.place, after(300)]).toEqual(['soon', 'card']);
});

test('Esc folds the card; the next question opens again', () => {
  const { given, focus, after } = setUp();
  given.question = 'q_1';
  after(0);
  focus.fold();
  expect(after(5000)).toBe('folded');
  given.question = 'q_2';
  expect(after(0)).toBe('soon');
  given.question = undefined;
  expect(after(0)).toBe('prompt');
});
