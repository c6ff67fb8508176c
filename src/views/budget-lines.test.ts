import { expect, test } from 'vitest';

import type { WorkerId } from '../kernel/ids.ts';
import { given, type GivenInput } from '../testing/given.ts';
import { chat, created, replied } from '../testing/inputs.ts';
import { budgetLinesOf } from './budget-lines.ts';

const spawned: GivenInput = {
  type: 'worker-reported',
  report: {
    worker: 'w1' as WorkerId,
    state: 'spawned',
    allotment: { tokens: 700, cost: 0.5, toolCalls: 2, children: 1 },
  },
};

test('[C128] usage and reservations count together, and a budget is near its limit from 80 %', () => {
  const { state } = given(
    created({ limits: { tokens: 900, cost: 2, totalToolCalls: 4, children: 4, wallTimeMs: 60_000 } }),
    spawned,
    chat('go'),
    replied('ses_1.5', 'done', []),
  );
  const { inputTokens, outputTokens } = state.usage;
  expect(budgetLinesOf(state, 0, { from: -45_000, until: 5_000 })).toEqual([
    { name: 'tokens', used: inputTokens + outputTokens, setAside: 700, limit: 900, isNear: false },
    { name: 'cost', used: 0, setAside: 0.5, limit: 2, isNear: false },
    { name: 'tool-calls', used: 0, setAside: 2, limit: 4, isNear: false },
    { name: 'wall-time', used: 45_000, setAside: 0, limit: 50_000, isNear: true },
    { name: 'places', used: 2, setAside: 0, limit: 4, isNear: false },
  ]);
});

test('[C128] without a limit there is only what was used, and no time where none is running', () => {
  const { state } = given(created());
  expect(budgetLinesOf(state, 0)).toEqual([
    { name: 'tokens', used: 0, setAside: 0, isNear: false },
    { name: 'cost', used: 0, setAside: 0, isNear: false },
    { name: 'tool-calls', used: 0, setAside: 0, isNear: false },
    { name: 'places', used: 0, setAside: 0, limit: 10, isNear: false },
  ]);
});

test('[C128] the time of a turn runs from its beginning to its limit', () => {
  const { state } = given(created({ limits: { wallTimeMs: 60_000 } }), chat('go'));
  const started = state.phase.type === 'turn' ? state.phase.turn.startedAt : Number.NaN;
  expect(budgetLinesOf(state, started + 50_000).find(({ name }) => name === 'wall-time')).toEqual({
    name: 'wall-time',
    used: 50_000,
    setAside: 0,
    limit: 60_000,
    isNear: true,
  });
});
