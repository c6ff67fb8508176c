import { expect, test } from 'vitest';

import { stackedDays } from './stacked-days.ts';

const used = (name: string, cost: number) => ({
  name,
  totals: { turns: 1, inputTokens: 0, outputTokens: 0, cost },
});

test('days stack their models, the dearest first, and empty days stay', () => {
  const rows = [
    used('2026-11-16 b', 1),
    used('2026-11-18 a', 3),
    used('2026-11-18 b', 1),
    used('2026-10-01 a', 9),
  ];
  const { models, most, days } = stackedDays(rows, { days: 3, today: '2026-11-18' });
  expect([models, most]).toEqual([['a', 'b'], 4]);
  expect(
    days.map(({ day, total, parts }) => [day, total, parts.map(({ model, from, share }) => [model, from, share])]),
  ).toEqual([
    ['2026-11-16', 1, [['b', 0, 0.25]]],
    ['2026-11-17', 0, []],
    [
      '2026-11-18',
      4,
      [
        ['a', 0, 0.75],
        ['b', 0.75, 0.25],
      ],
    ],
  ]);
});
