import type { Usage } from '../kernel/outcome.ts';
import { noUsage, type SessionUsage } from '../kernel/state.ts';

/**
 * What was used, counted as the kernel counts it, and where the time went. Sums are of single calls, so
 * calls that ran side by side count each; waiting is the time in which at least one question was open.
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

/** Also for sums over sessions. */
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
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...(cost === undefined ? { unpricedCalls: 1 } : { cost }),
  };
}
