import { childSpendingOf } from '../kernel/budget.ts';
import type { SessionUsage, State } from '../kernel/state.ts';

/** Usage of a session and its sub-agents. All lists and screens use this sum. */
export interface TotalUsage extends SessionUsage {
  /** If false, `cost` is a lower bound. */
  readonly costIsKnown: boolean;
  /** The share of its sub-agents. Absent if there were none. */
  readonly children?: ChildUsage;
}

export interface ChildUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly toolCalls: number;
  readonly cost: number;
  readonly costIsKnown: boolean;
}

/** If false, the cost is a lower bound. */
export function isCostKnown({
  unpricedCalls,
  unreportedTurns = 0,
}: Pick<SessionUsage, 'unpricedCalls' | 'unreportedTurns'>): boolean {
  return unpricedCalls === 0 && unreportedTurns === 0;
}

/** Turns and steps exclude sub-agents. */
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
