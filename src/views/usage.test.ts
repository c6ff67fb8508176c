import { expect, test } from 'vitest';

import type { EffectId } from '../kernel/ids.ts';
import type { InputBody, ModelOutcome } from '../kernel/input.ts';
import { testSession, played } from '../testing/given.ts';
import {
  answered,
  call,
  chat,
  created,
  interrupted,
  modelFailed,
  modelSettled,
  recovered,
  replied,
  timeReached,
  toolSettled,
} from '../testing/inputs.ts';
import { costText } from '../wording/cost.ts';
import { isCostKnown } from './total-usage.ts';
import { noTotals, totalsWith } from './usage-totals.ts';
import { usageOf, type UsageView } from './usage.ts';
import { timelineOf, usageByDay, usageByModel, usageByTurn } from './usage-report.ts';

const midnight = Date.UTC(2026, 0, 31);
const agent = { name: 'tester', runs: 'model', model: 'm1' } as const;

/** Each input with its time in milliseconds after midnight. */
function usageAfter(...inputs: readonly (readonly [ms: number, input: InputBody])[]): UsageView {
  const { events } = played(...inputs.map(([ms, input]) => ({ ...input, at: midnight + ms })));
  return usageOf(testSession, events);
}

const completed = (
  text: string,
  rest: Partial<Extract<ModelOutcome, { type: 'completed' }>> = {},
): ModelOutcome => ({
  type: 'completed',
  text,
  calls: [],
  usage: { inputTokens: 100, outputTokens: 10, cachedTokens: 40, reasoningTokens: 4, cost: 0.5 },
  stop: 'end',
  ...rest,
});

const guarded = (id: string) => call(id, 'shell', { access: 'execute' });

test('[C117] tokens, cost and time by session, turn, model and day', () => {
  const view = usageAfter(
    [-3000, created({ agent })],
    [-2000, chat('one')],
    [-1500, modelSettled('ses_1.4', completed('', { calls: [guarded('a'), guarded('b')], model: 'm2' }))],
    [-1000, answered('q_10000006', 'allow-once')],
    [-700, answered('q_10000007', 'allow-once')],
    [100, toolSettled('ses_1.9')],
    [200, toolSettled('ses_1.11')],
    [1200, modelSettled('ses_1.14', completed('Done.', { usage: { inputTokens: 7, outputTokens: 3 } }))],
  );
  const totals = {
    turns: 1,
    steps: 2,
    toolCalls: 2,
    inputTokens: 107,
    outputTokens: 13,
    cachedTokens: 40,
    reasoningTokens: 4,
    cost: 0.5,
    unpricedCalls: 1,
    modelMs: 1500,
    toolMs: 2000,
    waitingMs: 800,
    pausingMs: 0,
  };
  expect(view.totals).toEqual(totals);
  expect(isCostKnown(view.totals)).toBe(false);
  expect(usageByTurn(view)).toEqual([
    {
      turn: 3,
      startedAt: midnight - 2000,
      agent: 'tester',
      model: 'm1',
      ended: { at: midnight + 1200, ending: { type: 'completed' } },
      totals,
    },
  ]);
  const first = { inputTokens: 100, outputTokens: 10, cachedTokens: 40, reasoningTokens: 4, cost: 0.5 };
  const second = { inputTokens: 7, outputTokens: 3, unpricedCalls: 1 };
  expect(usageByModel(view)).toEqual([
    { name: 'm1', totals: { ...noTotals, ...second, modelMs: 1000 } },
    { name: 'm2', totals: { ...noTotals, ...first, modelMs: 500 } },
  ]);
  expect(usageByDay(view)).toEqual([
    {
      name: '2026-01-30',
      totals: { ...noTotals, ...first, turns: 1, steps: 1, toolCalls: 2, modelMs: 500, waitingMs: 800 },
    },
    { name: '2026-01-31', totals: { ...noTotals, ...second, steps: 1, toolMs: 2000, modelMs: 1000 } },
  ]);
  expect(
    usageByDay(view)
      .map((row) => row.totals)
      .reduce(totalsWith, noTotals),
  ).toEqual(totals);
});

test('the timeline of a turn has a span for each call, question and pause', () => {
  const inputs = [
    [0, created({ agent })],
    [10, chat('one')],
    [20, modelFailed('ses_1.4')],
    [3020, timeReached('ses_1.6')],
    [3100, replied('ses_1.8', '', [guarded('a')])],
    [3300, answered('q_1000000a', 'allow-once')],
  ] as const;
  const at = (ms: number) => midnight + ms;
  const spans = [
    { type: 'model', model: 'm1', from: at(10), to: at(20) },
    { type: 'pause', why: 'error-pause', from: at(20), to: at(3020) },
    { type: 'model', model: 'm1', from: at(3020), to: at(3100) },
    { type: 'person', about: 'approval', from: at(3100), to: at(3300) },
  ];
  const running = usageAfter(...inputs);
  expect(timelineOf(running, 3)?.spans).toEqual([...spans, { type: 'tool', tool: 'shell', from: at(3300) }]);
  expect(running.totals).toMatchObject({ modelMs: 90, pausingMs: 3000, waitingMs: 200, toolMs: 0 });

  const over = usageAfter(...inputs, [3400, interrupted], [3450, toolSettled('ses_1.12')]);
  expect(timelineOf(over, 3)).toMatchObject({
    turn: 3,
    startedAt: at(10),
    ended: { at: at(3450), ending: { type: 'cancelled' } },
    spans: [...spans, { type: 'tool', tool: 'shell', from: at(3300), to: at(3450) }],
  });
  expect([timelineOf(over, 2), timelineOf(over, 4)]).toEqual([undefined, undefined]);
});

test('a clock that was set back takes no time away', () => {
  const view = usageAfter([0, created()], [100, chat('one')], [50, replied('ses_1.4', 'Hi.')]);
  expect(view.totals.modelMs).toBe(0);
  expect(timelineOf(view, 3)?.spans).toEqual([
    { type: 'model', model: 'tester', from: midnight + 100, to: midnight + 100 },
  ]);
});

test('a turn that ends while it pauses ends the pause', () => {
  const view = usageAfter([0, created()], [0, chat('one')], [5, modelFailed('ses_1.4')], [905, interrupted]);
  expect(view.totals).toMatchObject({ modelMs: 5, pausingMs: 900 });
  expect(timelineOf(view, 3)?.spans.at(-1)).toEqual({
    type: 'pause',
    why: 'error-pause',
    from: midnight + 5,
    to: midnight + 905,
  });
});

test('the reservation of a call that a crash cut off is charged, as in the state', () => {
  const inputs = [
    [0, created({ limits: { modelRepeats: 0, maxOutputTokens: 50 } })],
    [0, chat('Resuming')],
    [1, recovered],
    [2, answered('q_10000006', 'allow-once')],
    [3, replied('ses_1.4', 'Hi.', [], 2)],
  ] as const;
  const view = usageAfter(...inputs);
  expect(view.totals).toMatchObject({ inputTokens: 62, outputTokens: 5, unpricedCalls: 1, waitingMs: 1 });
});

test('[C117] what was cut off counts for the model that answered before, if the agent names none', () => {
  const view = usageAfter(
    [0, created({ limits: { modelRepeats: 0 }, agent: { name: 'tester', runs: 'model' } })],
    [1, chat('one')],
    [2, modelSettled('ses_1.4', completed('Done.', { model: 'm2' }))],
    [3, chat('two')],
    [4, recovered],
  );
  expect(usageByModel(view).map(({ name }) => name)).toEqual(['m2']);
});

test('an external agent is charged as it reports', () => {
  const effect = 'ses_1.4' as EffectId;
  const view = usageAfter(
    [0, created({ agent: { name: 'codex', runs: 'external' } })],
    [0, chat('go')],
    [
      5,
      {
        type: 'agent-reported',
        effect,
        attempt: 1,
        report: { type: 'usage', usage: { inputTokens: 9, outputTokens: 1, cost: 2 } },
      },
    ],
    [8, { type: 'agent-turn-settled', effect, attempt: 1, outcome: { type: 'completed' } }],
  );
  expect(usageByModel(view)).toEqual([
    { name: 'codex', totals: { ...noTotals, inputTokens: 9, outputTokens: 1, cost: 2, modelMs: 8 } },
  ]);
  expect(timelineOf(view, 3)?.spans).toEqual([
    { type: 'agent', agent: 'codex', from: midnight, to: midnight + 8 },
  ]);
});

test("[C117] an external agent's unreported cost is unknown, never $0", () => {
  const effect = 'ses_1.4' as EffectId;
  const inputs = [
    [0, created({ agent: { name: 'codex', runs: 'external' } })],
    [0, chat('go')],
    [8, { type: 'agent-turn-settled', effect, attempt: 1, outcome: { type: 'completed' } }],
  ] as const;
  const { totals } = usageAfter(...inputs);
  expect(totals).toMatchObject({ inputTokens: 0, cost: 0, unreportedTurns: 1 });
  expect(costText({ cost: totals.cost, costIsKnown: isCostKnown(totals) })).toBe('unpriced');
});
