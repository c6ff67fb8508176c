import { expect, test } from 'vitest';

import type { Timeline } from '../../../src/views/usage.ts';
import { noTotals } from '../../../src/views/usage-totals.ts';
import { turnChart } from './turn-timeline.ts';
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

test('what runs side by side has its own line, and what has no end yet reaches to now', () => {
  const timeline: Timeline = {
    turn: 1,
    startedAt: 1000,
    agent: 'a',
    model: 'm',
    totals: noTotals,
    spans: [
      { type: 'model', model: 'm', from: 1000, to: 1500 },
      { type: 'tool', tool: 'read', from: 1500, to: 1750 },
      { type: 'tool', tool: 'grep', from: 1500, to: 2000 },
      { type: 'person', about: 'approval', from: 1750 },
    ],
  };
  const { stripes, lines, ms } = turnChart(timeline, 3000);
  expect({
    lines,
    ms,
    stripes: stripes.map(({ label, line, from, width, isOpen }) => [label, line, from, width, isOpen]),
  }).toEqual({
    lines: 2,
    ms: 2000,
    stripes: [
      ['m', 0, 0, 0.25, false],
      ['read', 0, 0.25, 0.125, false],
      ['grep', 1, 0.25, 0.25, false],
      ['waiting for you (approval)', 0, 0.375, 0.625, true],
    ],
  });
});
