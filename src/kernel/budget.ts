/**
 * A session's budget as one node of a tree. What a parent sets aside for a live child counts as used
 * until the child ends and says what it really used; then that counts, and the rest is back.
 */
import type { Limits } from './limits.ts';
import type { Spending, Usage } from './outcome.ts';
import type { Allotment } from './report.ts';
import type { State } from './state.ts';

export const noSpending: Spending = { tokens: 0, cost: 0 };

/** What the session and all its ended children used. Summed over live children too, it is the tree's total. */
export function spendingOf({ usage, childSpending = noSpending }: State): Spending {
  return {
    tokens: usage.inputTokens + usage.outputTokens + childSpending.tokens,
    cost: usage.cost + childSpending.cost,
  };
}

/** What may still be used or set aside; undefined where there is no limit. */
export function budgetLeft(state: State): { readonly tokens?: number; readonly cost?: number } {
  const { limits } = state;
  const committed = committedOf(state);
  return {
    ...(limits.tokens !== undefined && { tokens: limits.tokens - committed.tokens }),
    ...(limits.cost !== undefined && { cost: limits.cost - committed.cost }),
  };
}

/** Which budget is at 80 % of its limit and has not been spoken of at this limit yet. */
export function nearedLimits(state: State): readonly { name: 'tokens' | 'cost'; used: number; limit: number }[] {
  const used = committedOf(state);
  return (['tokens', 'cost'] as const).flatMap((name) => {
    const limit = state.limits[name];
    if (limit === undefined || used[name] < limit * noticeShare || used[name] >= limit) return [];
    return state.neared?.[name] === limit ? [] : [{ name, used: used[name], limit }];
  });
}

const noticeShare = 0.8;

export function addSpending(a: Spending, b: Spending): Spending {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

export function spendingOfUsage({ inputTokens, outputTokens, cost = 0 }: Usage): Spending {
  return { tokens: inputTokens + outputTokens, cost };
}

/** Why an allotment does not fit, beyond what the worker has already. */
export function allotmentProblem(state: State, wanted: Allotment, has: Allotment): string | undefined {
  const left = budgetLeft(state);
  for (const name of ['tokens', 'cost'] as const) {
    const more = (wanted[name] ?? 0) - (has[name] ?? 0);
    const room = left[name];
    if (room !== undefined && more > room) {
      return `session ${state.id} has ${Math.max(room, 0)} of its limit of ${state.limits[name]} left in ${words[name]}, not ${more}`;
    }
  }
  return undefined;
}

const words: Readonly<Record<keyof Pick<Limits, 'tokens' | 'cost'>, string>> = {
  tokens: 'tokens',
  cost: 'US dollars',
};

function committedOf(state: State): Spending {
  return state.workers.reduce<Spending>(
    (sum, { allotment }) => addSpending(sum, { tokens: allotment?.tokens ?? 0, cost: allotment?.cost ?? 0 }),
    spendingOf(state),
  );
}
