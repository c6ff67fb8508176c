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
  const { models, ticks, days } = stackedDays(rows, { days: 3, today: '2026-11-18' });
  expect([models, ticks]).toEqual([
    ['a', 'b'],
    [0, 1, 2, 3, 4],
  ]);
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

test("[C95] a day counts its unpriced calls, and a model without a price isn't a series", () => {
  const unpriced = {
    name: '2026-11-18 codex',
    totals: { turns: 1, inputTokens: 9, outputTokens: 1, cost: 0, unpricedCalls: 1 },
  };
  const { models, days } = stackedDays([used('2026-11-18 a', 3), unpriced], { days: 1, today: '2026-11-18' });
  expect([models, days]).toEqual([
    ['a'],
    [
      {
        day: '2026-11-18',
        total: 3,
        unpriced: 1,
        parts: [{ series: 0, model: 'a', cost: 3, from: 0, share: 1 }],
      },
    ],
  ]);
});
