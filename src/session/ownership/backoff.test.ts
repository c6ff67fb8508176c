import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { createBackoff } from './backoff.ts';

const [a, b] = ['ses_a', 'ses_b'] as SessionId[] as [SessionId, SessionId];

test('[O9] a session that fails again and again is tried after 1 s, 2 s, 4 s, up to a minute, and at once after a success', () => {
  let now = 0;
  const backoff = createBackoff({ ticks: () => now });
  const waitAfterFailure = () => {
    backoff.failed(a);
    const from = now;
    while (backoff.isWaiting(a)) now += 500;
    return now - from;
  };
  expect([backoff.isWaiting(a), ...Array.from({ length: 8 }, waitAfterFailure)]).toEqual([
    false,
    1000,
    2000,
    4000,
    8000,
    16_000,
    32_000,
    60_000,
    60_000,
  ]);
  backoff.failed(a);
  expect([backoff.isWaiting(a), backoff.isWaiting(b)]).toEqual([true, false]);
  backoff.succeeded(a);
  expect(backoff.isWaiting(a)).toBe(false);
  expect(waitAfterFailure()).toBe(1000);
});
