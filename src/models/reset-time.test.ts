import { expect, it } from 'vitest';

import { resetTime } from './reset-time.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

it.each<[string, Record<string, string>, string | undefined, number | undefined]>([
  ['seconds', { 'retry-after': '30' }, undefined, now + 30_000],
  ['milliseconds before seconds', { 'retry-after': '30', 'retry-after-ms': '1500' }, undefined, now + 1500],
  ['a date', { 'retry-after': 'Sun, 15 Nov 2026 12:01:00 GMT' }, undefined, now + 60_000],
  ['a date that is past', { 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, undefined, now],
  [
    'the reset of the Anthropic limit that is used up',
    {
      'anthropic-ratelimit-requests-remaining': '12',
      'anthropic-ratelimit-requests-reset': '2026-11-15T13:00:00Z',
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-11-15T12:00:40Z',
    },
    undefined,
    now + 40_000,
  ],
  [
    'an OpenAI duration',
    { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0.5s' },
    undefined,
    now + 360_500,
  ],
  ['the delay in a Google error', {}, '{"error":{"details":[{"retryDelay": "37s"}]}}', now + 37_000],
  ['nothing', {}, '{}', undefined],
  ['nonsense', { 'retry-after': 'soon' }, undefined, undefined],
])('reads %s [C24]', (_name, headers, body, expected) => {
  expect(resetTime(headers, body, now)).toBe(expected);
});
