/**
 * Budgets requests and tokens per minute. Workers may use only their share; main work may use the rest. Tokens are
 * estimated when a call begins and corrected when it ends.
 */
import type { ModelRequest } from '../ports/model.ts';

export type Lane = ModelRequest['lane'];

export interface RateLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  /** The share of both that workers may use, 0 to 1. */
  readonly workerShare?: number;
}

interface RateBudget {
  /** When the call fits the budget. A time in the past means now. */
  fitsAt(lane: Lane, tokens: number, now: number): number;
  take(lane: Lane, tokens: number, now: number): { correct(tokens: number): void };
}

interface Entry {
  readonly at: number;
  readonly lane: Lane;
  tokens: number;
}

const minute = 60_000;

export function createRateBudget({
  requestsPerMinute,
  tokensPerMinute,
  workerShare = 0.5,
}: RateLimits): RateBudget {
  let entries: Entry[] = [];
  /** The oldest entries expire first. A call larger than the budget fits into an empty one. */
  const fits = (used: readonly Entry[], tokens: number, share: number): boolean =>
    used.length === 0 ||
    ((requestsPerMinute === undefined || used.length + 1 <= Math.max(1, requestsPerMinute * share)) &&
      (tokensPerMinute === undefined || total(used) + tokens <= tokensPerMinute * share));

  return {
    fitsAt(lane, tokens, now) {
      entries = entries.filter(({ at }) => at + minute > now);
      const free = (used: readonly Entry[]) =>
        fits(used, tokens, 1) &&
        (lane === 'main' ||
          fits(
            used.filter((entry) => entry.lane === 'worker'),
            tokens,
            workerShare,
          ));
      const gone = entries.findIndex((_, index) => free(entries.slice(index)));
      if (gone === 0 || entries.length === 0) return now;
      return (entries.at(gone === -1 ? -1 : gone - 1)?.at ?? now) + minute;
    },
    take(lane, tokens, now) {
      const entry: Entry = { at: now, lane, tokens };
      entries.push(entry);
      return { correct: (used) => (entry.tokens = used) };
    },
  };
}

function total(entries: readonly Entry[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}
