import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createHeldKey } from './held-key.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The answers that keys give which come after these pauses. Each would answer, if it weren't held. */
function answers(keys: readonly (readonly [pause: number, letter: string])[]): string[] {
  const held = createHeldKey(3000);
  const given: string[] = [];
  const since = performance.now();
  for (const [pause, letter] of keys) {
    vi.advanceTimersByTime(pause);
    const isPress = held.came({ type: 'letter', letter });
    if (isPress) held.answer(() => given.push(`${letter} ${performance.now() - since}`));
  }
  vi.advanceTimersByTime(1000);
  return given;
}

/** As a keyboard does: the first repetition after half a second, the others close together. */
const repetitions = (count: number) => [
  [500, 'y'] as const,
  ...Array.from({ length: count }, () => [33, 'y'] as const),
];

test('[C128] a held key answers once; a key pressed again answers a moment later', () => {
  expect(answers([[0, 'y']])).toEqual(['y 0']);
  expect(answers([[0, 'y'], ...repetitions(90)])).toEqual(['y 0']);
  expect(answers([[0, 'y'], ...repetitions(90), [800, 'y']])).toEqual(['y 0', 'y 4520']);
  const again = answers([
    [0, 'y'],
    [150, 'Y'],
    [5000, 'y'],
  ]);
  expect(again).toEqual(['y 0', 'Y 400', 'y 5150']);
});

test('[C128] another key withdraws an answer that waits', () => {
  const changed = answers([
    [0, 'y'],
    [400, 'y'],
    [100, 'n'],
  ]);
  expect(changed).toEqual(['y 0', 'n 500']);
});
