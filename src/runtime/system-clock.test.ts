import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

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
    // Timers use whole milliseconds: one may pass between reading the time and setting the timer.
    expect(after).toBeGreaterThanOrEqual(59);
    expect(after).toBeLessThan(20_000);
    expect(Math.abs(clock.now() - rightNow() - byMs)).toBeLessThan(20_000);
  },
);

test("a timer in the past fires, and a cancelled one doesn't", async () => {
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

test('[C122] a timer further away than the system can hold is armed in stages, and one that fires early again', () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
  onTestFinished(() => void vi.useRealTimers());
  const clock = createSystemClock({ uptime: () => performance.now() });
  const fired: number[] = [];
  const start = Date.now();
  clock.at(start + 2 ** 31 + 1000, () => fired.push(Date.now() - start));
  vi.advanceTimersByTime(2 ** 31 - 1);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(fired).toEqual([2 ** 31 + 1000]);
});

test('[O5] sleep is looked for as long as anything is armed, and what was slept before counts for nothing', () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
  onTestFinished(() => void vi.useRealTimers());
  let slept = 0;
  const clock = createSystemClock({ uptime: () => performance.now() + slept, lookEveryMs: 100 });
  const fired: string[] = [];
  slept = 1_000_000;
  const disarm = clock.at(Date.now() + 10_000, () => fired.push('one'));
  clock.at(Date.now() + 20_000, () => fired.push('two'));
  vi.advanceTimersByTime(1000);
  expect(vi.getTimerCount()).toBe(3);
  disarm();
  expect(vi.getTimerCount()).toBe(2);
  // A difference below the normal one between two clock readings isn't a sleep.
  slept += 499;
  vi.advanceTimersByTime(18_999);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([fired, vi.getTimerCount()]).toEqual([['two'], 0]);
});
