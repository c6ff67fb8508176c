import { expect, test } from 'vitest';

import type { Timeline } from '../../../src/views/usage-report.ts';
import { noTotals } from '../../../src/views/usage-totals.ts';
import { turnChart } from './turn-timeline.ts';

test('[C95] each model, tool and wait has one lane, and an unfinished one reaches to now', () => {
  const timeline: Timeline = {
    turn: 1,
    startedAt: 1000,
    agent: 'a',
    model: 'm',
    totals: noTotals,
    spans: [
      { type: 'model', model: 'm', from: 1000, to: 1500 },
      { type: 'tool', tool: 'read', from: 1500, to: 1750 },
      { type: 'tool', tool: 'read', from: 1500, to: 2000 },
      { type: 'person', about: 'approval', from: 2000 },
    ],
  };
  expect(turnChart(timeline, 3000)).toEqual({
    ms: 2000,
    lanes: [
      { kind: 'model', label: 'm', ms: 500, stripes: [{ from: 0, width: 0.25, ms: 500 }] },
      {
        kind: 'tool',
        label: 'read',
        ms: 750,
        stripes: [
          { from: 0.25, width: 0.125, ms: 250 },
          { from: 0.25, width: 0.25, ms: 500 },
        ],
      },
      { kind: 'person', label: 'Waiting for you', ms: 1000, stripes: [{ from: 0.5, width: 0.5, ms: 1000 }] },
    ],
  });
});
