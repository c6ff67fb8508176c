import { expect, test } from 'vitest';

import { amountText, tokensText } from './amount.ts';
import { costText } from './cost.ts';
import { ageText, durationText, elapsedText } from './duration.ts';
import { sizeText } from './size.ts';

test.each([
  [987, '987'],
  [14_100, '14.1k'],
  [123_456, '123k'],
  [999_960, '1M'],
  [2_340_000, '2.3M'],
])('%i is written %s', (count, text) => {
  expect([amountText(count), tokensText(count)]).toEqual([text, `${text} tokens`]);
});

test.each([
  [0, true, '$0'],
  [0.004, true, '<$0.01'],
  [0.42, true, '$0.42'],
  [12.5, true, '$12.50'],
  [0, false, 'unpriced'],
  [0.42, false, '≥ $0.42'],
])('a cost of %f, known: %s, is written %s', (cost, costIsKnown, text) => {
  expect(costText({ cost, costIsKnown })).toBe(text);
});

test.each([
  [-5, '0.0s', '0s', '0s'],
  [400, '0.4s', '0s', '0s'],
  [12_900, '12s', '12s', '12s'],
  [119_000, '1m 59s', '1m 59s', '1m'],
  [120_000, '2m', '2m', '2m'],
  [7_500_000, '2h 5m', '2h 5m', '2h'],
  [273_600_000, '3d 4h', '3d 4h', '3d'],
])('%i ms: %s, counted %s, in a list %s', (ms, duration, elapsed, age) => {
  expect([durationText(ms), elapsedText(ms), ageText(ms)]).toEqual([duration, elapsed, age]);
});

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [12_000, '12 kB'],
  [3_565_158, '3.4 MB'],
  [1_288_490_189, '1.2 GB'],
])('%i bytes are written %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
