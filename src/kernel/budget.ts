/**
 * A session's budget as a node of a tree: tokens, money, tool calls and live children. A parent's allotment for a
 * live child counts as used until the child ends and reports its actual usage; the rest returns. A child without an
 * allotment, or beyond it, counts with its reported usage. Time needs no account: a child's deadline is never later
 * than its parent's.
 */
import { budgetNames, type BudgetName } from './budget-name.ts';
import type { Limits } from './limits.ts';
import { optional } from './optional.ts';
import type { Spending } from './outcome.ts';
import type { Allotment, WorkerReport } from './report.ts';
import { turnOf, type State } from './state.ts';

export const noSpending: Spending = { tokens: 0, cost: 0, toolCalls: 0 };

/** Usage of the session and all its children; live ones as reported so far. */
export function spendingOf(state: State): Spending {
  const { inputTokens, outputTokens, cost, toolCalls, unpricedCalls, unreportedTurns = 0 } = state.usage;
  const own = {
    tokens: inputTokens + outputTokens,
    outputTokens,
    cost,
    toolCalls,
    unpricedCalls: unpricedCalls + unreportedTurns,
  };
  return addSpending(own, childSpendingOf(state));
}

/** The children's part of it. */
export function childSpendingOf({ childSpending = noSpending, workers }: State): Spending {
  return workers.reduce((sum, { spent }) => (spent === undefined ? sum : addSpending(sum, spent)), childSpending);
}

export function addSpending(a: Spending, b: Spending): Spending {
  return combined(a, b, (one, other) => one + other);
}

export function spendingBetween(before: Spending, after: Spending): Spending {
  return combined(before, after, (one, other) => other - one);
}

function combined(a: Spending, b: Spending, combine: (a: number, b: number) => number): Spending {
  const outputTokens = combine(a.outputTokens ?? 0, b.outputTokens ?? 0);
  const unpricedCalls = combine(a.unpricedCalls ?? 0, b.unpricedCalls ?? 0);
  return {
    tokens: combine(a.tokens, b.tokens),
    ...(outputTokens !== 0 && { outputTokens }),
    cost: combine(a.cost, b.cost),
    ...(unpricedCalls !== 0 && { unpricedCalls }),
    toolCalls: combine(a.toolCalls ?? 0, b.toolCalls ?? 0),
  };
}

/** A child's reported usage. */
export function spendingOfReport({ usage, toolCalls = 0, unpricedCalls = 0 }: WorkerReport): Spending {
  const { inputTokens, outputTokens, cost = 0 } = usage ?? { inputTokens: 0, outputTokens: 0 };
  return addSpending(noSpending, {
    tokens: inputTokens + outputTokens,
    outputTokens,
    cost,
    toolCalls,
    unpricedCalls,
  });
}

/** What may still be used or allotted; undefined without a limit. */
export function budgetLeft(state: State): Omit<Allotment, 'children'> {
  const left = (name: BudgetName) => {
    const limit = limitOn(state.limits, name);
    return limit === undefined ? undefined : limit - committed(state, name);
  };
  const [tokens, cost, toolCalls] = [left('tokens'), left('cost'), left('tool-calls')];
  return optional({ tokens, cost, toolCalls });
}

/**
 * The output limit of a reply if only a budget limits it: providers reject more than a model supports, and an
 * interrupted call forfeits its reservation.
 */
export const mostReplyTokens = 16_384;

/** The exhausted limit on tool calls: this turn's, or the one for the session and its children. */
export function reachedToolLimit(state: State): number | undefined {
  const { toolCalls, totalToolCalls } = state.limits;
  if ((turnOf(state)?.toolCalls ?? 0) >= toolCalls) return toolCalls;
  return totalToolCalls !== undefined && (budgetLeft(state).toolCalls ?? 0) <= 0 ? totalToolCalls : undefined;
}

/** How many more workers may live below the session. A child's own allotted places count as taken. */
export function placesLeft({ limits, workers }: State): number {
  return workers.reduce((left, { allotment }) => left - 1 - (allotment?.children ?? 0), limits.children);
}

/** Budgets at 80 % of their limit that the model hasn't been warned about at this limit. */
export function nearedLimits(state: State): readonly { name: BudgetName; used: number; limit: number }[] {
  if (!hasBudget(state.limits)) return none;
  return budgetNames.flatMap((name) => {
    const limit = limitOn(state.limits, name);
    const used = limit === undefined ? 0 : committed(state, name);
    if (limit === undefined || used < limit * noticeShare || used >= limit) return [];
    return state.neared?.[name] === limit ? [] : [{ name, used, limit }];
  });
}

const none: readonly never[] = [];

/** Whether any session-wide limit applies. */
function hasBudget({ tokens, cost, totalToolCalls }: Limits): boolean {
  return tokens !== undefined || cost !== undefined || totalToolCalls !== undefined;
}

/** The share of a limit that triggers a warning. */
export const noticeShare = 0.8;

/** One budget: used by session and children, reserved for live children, and the limit for both. */
export interface BudgetAccount {
  readonly used: number;
  readonly setAside: number;
  readonly limit?: number;
}

export function budgetAccount(state: State, name: BudgetName): BudgetAccount {
  const limit = limitOn(state.limits, name);
  const used = amount(spendingOf(state), name);
  return { used, setAside: committed(state, name) - used, ...optional({ limit }) };
}

/** Why an allotment doesn't fit, beyond what the worker already has. */
export function allotmentProblem(state: State, wanted: Allotment, has: Allotment): string | undefined {
  const fits = (name: string, limit: number | undefined, room: number, more: number) =>
    limit === undefined || more <= Math.max(room, 0)
      ? undefined
      : `session ${state.id} has ${Math.max(room, 0)} of its limit of ${limit} left in ${name}, not ${more}`;
  for (const name of budgetNames) {
    const limit = limitOn(state.limits, name);
    const more = amount(wanted, name) - amount(has, name);
    const problem = fits(words[name], limit, (limit ?? 0) - committed(state, name), more);
    if (problem !== undefined) return problem;
  }
  const places = (wanted.children ?? 0) - (has.children ?? 0);
  return fits('live workers', state.limits.children, placesLeft(state), places);
}

const words: Readonly<Record<BudgetName, string>> = {
  tokens: 'tokens',
  cost: 'US dollars',
  'tool-calls': 'tool calls',
};

function limitOn(limits: Limits, name: BudgetName): number | undefined {
  return name === 'tool-calls' ? limits.totalToolCalls : limits[name];
}

function amount(of: Omit<Allotment, 'children'>, name: BudgetName): number {
  return (name === 'tool-calls' ? of.toolCalls : of[name]) ?? 0;
}

/** Used, or allotted to a live child beyond its usage. */
function committed(state: State, name: BudgetName): number {
  const used = amount(spendingOf(state), name);
  return state.workers.reduce(
    (sum, { allotment = {}, spent = noSpending }) =>
      sum + Math.max(0, amount(allotment, name) - amount(spent, name)),
    used,
  );
}
