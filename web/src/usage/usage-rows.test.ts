import { expect, test } from 'vitest';

import { barsOf, type Used } from './usage-rows.ts';

const used = (inputTokens: number, outputTokens: number): Used => ({
  turns: 1,
  inputTokens,
  outputTokens,
  cost: 0,
});

test('the largest row is as wide as the chart; days without work are there too', () => {
  const bars = barsOf(
    [
      { name: '2026-03-01', totals: used(60, 40) },
      { name: '2026-03-03', totals: used(25, 0) },
    ],
    'day',
    'tokens',
  );
  expect(bars.map(({ name, value, parts }) => [name, value, parts.map(({ share }) => share)])).toEqual([
    ['2026-03-01', 100, [0.6, 0.4]],
    ['2026-03-02', 0, [0, 0]],
    ['2026-03-03', 25, [0.25, 0]],
  ]);
});

test('the agent of an imported session has a label', () => {
  const bars = barsOf(
    [
      { name: '', totals: used(1, 0) },
      { name: 'assistant', totals: used(2, 0) },
    ],
    'agent',
    'tokens',
  );
  expect(bars.map(({ name, label }) => [name, label])).toEqual([
    ['assistant', 'assistant'],
    ['', 'Imported'],
  ]);
});
