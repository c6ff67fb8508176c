import { describe, expect, test } from 'vitest';

import { moneyTicks, timeTicks } from './axis-ticks.ts';

describe('axes', () => {
  test.each([
    [8.9, [0, 2.5, 5, 7.5, 10]],
    [1.59, [0, 0.5, 1, 1.5, 2]],
    [4, [0, 1, 2, 3, 4]],
    [0.01, [0, 0.0025, 0.005, 0.0075, 0.01]],
    [0, [0, 0.0025]],
  ])('money up to %d has round steps', (most, ticks) => {
    expect(moneyTicks(most)).toEqual(ticks);
  });

  test('hours and minutes are full ones', () => {
    const at = (hours: number, minutes: number) => new Date(2026, 10, 18, hours, minutes).getTime();
    expect(timeTicks(at(8, 20), at(13, 5))).toEqual([at(9, 0), at(10, 0), at(11, 0), at(12, 0), at(13, 0)]);
    expect(timeTicks(at(8, 20), at(8, 23))).toEqual([at(8, 20), at(8, 21), at(8, 22), at(8, 23)]);
  });
});
