import { afterEach, expect, test } from 'vitest';

import { createSystemClock } from './system-clock.ts';

const rightNow = Date.now;
afterEach(() => {
  Date.now = rightNow;
});

test.each([-3_600_000, 3_600_000])(
  '[C122] a clock that is set by %i ms makes no timer early and none late',
  async (byMs) => {
    const clock = createSystemClock();
    const started = performance.now();
    const fired = new Promise<number>((resolve) => {
      clock.at(clock.now() + 60, () => resolve(performance.now() - started));
    });
    Date.now = () => rightNow() + byMs;
    const after = await fired;
    // A timer's time is in whole milliseconds: one may go by between asking for the time and setting the timer.
    expect(after).toBeGreaterThanOrEqual(59);
    expect(after).toBeLessThan(20_000);
    expect(Math.abs(clock.now() - rightNow() - byMs)).toBeLessThan(20_000);
  },
);

test('a timer that is past already fires, and one that is taken back does not', async () => {
  const clock = createSystemClock();
  const fired: string[] = [];
  const disarm = clock.at(clock.now() + 5, () => fired.push('taken back'));
  disarm();
  await new Promise<void>((resolve) => {
    clock.at(clock.now() - 1000, () => fired.push('past'));
    clock.at(clock.now() + 20, resolve);
  });
  expect(fired).toEqual(['past']);
});

test('[O5] a wait is over in time although the machine slept for most of it', async () => {
  let slept = 0;
  const clock = createSystemClock({ uptime: () => performance.now() + slept, lookEveryMs: 10 });
  const started = performance.now();
  const fired = new Promise<number>((resolve) => {
    clock.at(clock.now() + 3_600_000, () => resolve(performance.now() - started));
  });
  slept = 3_599_900;
  const after = await fired;
  expect(after).toBeGreaterThanOrEqual(99);
  expect(after).toBeLessThan(20_000);
});
