import { expect, test } from 'vitest';

import { createFakeClock } from './fake-clock.ts';

test('ticks are fractional and only go forward, as those of a machine; the time of day is whole', async () => {
  const clock = createFakeClock();
  const readings = [clock.ticks(), clock.ticks()];
  await clock.advance(3);
  readings.push(clock.ticks());
  expect(readings.map(Number.isInteger)).toEqual([false, false, false]);
  expect(readings.toSorted((a, b) => a - b)).toEqual(readings);
  expect(new Set(readings).size).toBe(3);
  expect(clock.now()).toBe(1_000_003);
});

test('a timer for a fraction of a millisecond fires on the next whole one', async () => {
  const clock = createFakeClock({ now: 0 });
  const fired: number[] = [];
  clock.at(1.25, () => fired.push(clock.now()));
  await clock.advance(1);
  expect(fired).toEqual([]);
  await clock.advance(1);
  expect(fired).toEqual([2]);
});
