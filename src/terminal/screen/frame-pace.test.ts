import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createFramePace } from './frame-pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('[C126] 1,000 changes a second draw at most 30 frames, the first at once and the last soon', () => {
  const frames: number[] = [];
  let changes = 0;
  const pace = createFramePace(() => frames.push(changes));
  for (changes = 1; changes <= 1000; changes += 1) {
    pace.soon();
    vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(34);
  expect([frames[0], frames.length <= 31, frames.at(-1)]).toEqual([1, true, 1001]);
  pace.soon();
  pace.close();
  vi.advanceTimersByTime(100);
  pace.soon();
  pace.soon();
  pace.close();
  expect(vi.getTimerCount()).toBe(0);
});
