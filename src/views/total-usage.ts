import { childSpendingOf } from '../kernel/budget.ts';
import type { SessionUsage, State } from '../kernel/state.ts';

/** What a session and its sub-agents used, in every list and on every screen: the one place that adds them up. */
export interface TotalUsage extends SessionUsage {
  /** Where it isn't, `cost` is the least it can have been. */
  readonly costIsKnown: boolean;
  /** The part of it that sub-agents used; absent where there were none. */
  readonly children?: ChildUsage;
}

export interface ChildUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly toolCalls: number;
  readonly cost: number;
  readonly costIsKnown: boolean;
}

/** Where it isn't, the cost is the least it can have been. */
export function isCostKnown({
  unpricedCalls,
  unreportedTurns = 0,
}: Pick<SessionUsage, 'unpricedCalls' | 'unreportedTurns'>): boolean {
  return unpricedCalls === 0 && unreportedTurns === 0;
}

/** Turns and steps are the session's own. */
export function totalUsageOf(state: State): TotalUsage {
  const { usage } = state;
  const spent = childSpendingOf(state);
  const { tokens, outputTokens = 0, toolCalls = 0, cost, unpricedCalls = 0 } = spent;
  if (tokens === 0 && toolCalls === 0 && cost === 0 && unpricedCalls === 0) {
    return { ...usage, costIsKnown: isCostKnown(usage) };
  }
  const unpriced = usage.unpricedCalls + unpricedCalls;
  const inputTokens = tokens - outputTokens;
  return {
    ...usage,
    inputTokens: usage.inputTokens + inputTokens,
    outputTokens: usage.outputTokens + outputTokens,
    toolCalls: usage.toolCalls + toolCalls,
    cost: usage.cost + cost,
    unpricedCalls: unpriced,
    costIsKnown: isCostKnown(usage) && unpricedCalls === 0,
    children: { inputTokens, outputTokens, toolCalls, cost, costIsKnown: unpricedCalls === 0 },
  };
}
