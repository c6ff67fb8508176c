/**
 * Chooses the next fault. While some kinds haven't happened often enough, the seed mostly draws one of those;
 * afterwards the weights apply. So a short run has every kind, and a long one the mixture. A kind with weight 0 is
 * left out.
 */
import type { SeededRandom } from '../../src/testing/simulation-random.ts';

export interface FaultPlan<Kind extends string> {
  next(): Kind;
  /** Records that the fault was injected, not merely attempted. */
  happened(kind: Kind): void;
  /** True if each kind has happened often enough. */
  readonly isComplete: boolean;
  readonly counts: Readonly<Record<Kind, number>>;
}

export function createFaultPlan<Kind extends string>(
  random: SeededRandom,
  given: Readonly<Partial<Record<Kind, number>>>,
  leastOf: (kind: Kind) => number = () => 1,
): FaultPlan<Kind> {
  const kinds = (Object.keys(given) as Kind[]).filter((kind) => (given[kind] ?? 0) > 0);
  const weights = Object.fromEntries(kinds.map((kind) => [kind, given[kind] ?? 0])) as Record<Kind, number>;
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  const missing = () => kinds.filter((kind) => counts[kind] < leastOf(kind));
  return {
    next() {
      const wanted = missing();
      const isFirst = wanted.some((kind) => counts[kind] === 0);
      const isWanted = wanted.length > 0 && (isFirst || random.chance(0.8));
      return isWanted ? random.pick(wanted) : random.weighted(weights);
    },
    happened(kind) {
      counts[kind] += 1;
    },
    get isComplete() {
      return missing().length === 0;
    },
    counts,
  };
}
