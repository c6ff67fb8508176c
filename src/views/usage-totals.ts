import type { Usage } from '../kernel/outcome.ts';
import { noUsage, type SessionUsage } from '../kernel/state.ts';
import { optional } from '../kernel/optional.ts';

/**
 * Usage, counted as the kernel counts it, and time spent. Sums are over single calls, so concurrent calls each
 * count. Waiting is the time with at least one open question.
 */
export interface UsageTotals extends SessionUsage {
  readonly modelMs: number;
  readonly toolMs: number;
  readonly waitingMs: number;
  readonly pausingMs: number;
}

export const noTotals: UsageTotals = {
  ...noUsage,
  modelMs: 0,
  toolMs: 0,
  waitingMs: 0,
  pausingMs: 0,
};

/** Adds totals, also across sessions. */
export function totalsWith(a: UsageTotals, b: Partial<UsageTotals>): UsageTotals {
  const unreportedTurns = (a.unreportedTurns ?? 0) + (b.unreportedTurns ?? 0);
  return {
    turns: a.turns + (b.turns ?? 0),
    steps: a.steps + (b.steps ?? 0),
    toolCalls: a.toolCalls + (b.toolCalls ?? 0),
    inputTokens: a.inputTokens + (b.inputTokens ?? 0),
    outputTokens: a.outputTokens + (b.outputTokens ?? 0),
    cachedTokens: a.cachedTokens + (b.cachedTokens ?? 0),
    reasoningTokens: a.reasoningTokens + (b.reasoningTokens ?? 0),
    cost: a.cost + (b.cost ?? 0),
    unpricedCalls: a.unpricedCalls + (b.unpricedCalls ?? 0),
    ...(unreportedTurns > 0 && { unreportedTurns }),
    modelMs: a.modelMs + (b.modelMs ?? 0),
    toolMs: a.toolMs + (b.toolMs ?? 0),
    waitingMs: a.waitingMs + (b.waitingMs ?? 0),
    pausingMs: a.pausingMs + (b.pausingMs ?? 0),
  };
}

export function chargeOf({
  inputTokens,
  outputTokens,
  cachedTokens,
  reasoningTokens,
  cost,
}: Usage): Partial<UsageTotals> {
  return {
    inputTokens,
    outputTokens,
    ...optional({ cachedTokens, reasoningTokens }),
    ...(cost === undefined ? { unpricedCalls: 1 } : { cost }),
  };
}
