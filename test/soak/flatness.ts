/**
 * Whether a figure of a long run stays where it is. The first half is warming up and is not looked at; through the
 * second the line is drawn that half of all pairs of samples rise above (Theil and Sen): a few wild samples
 * do not move it. What it rises by from one end of that half to the other is held to a limit.
 */
export interface Limit {
  /** Rise that is allowed whatever the level, in the figure's own unit. */
  readonly most: number;
  /** And in parts of the level. */
  readonly part: number;
}

export interface Point {
  readonly seconds: number;
  readonly value: number;
}

export interface Flatness {
  /** The median of the second half. */
  readonly level: number;
  readonly rise: number;
  readonly allowed: number;
  readonly isFlat: boolean;
}

export function flatnessOf(points: readonly Point[], limit: Limit): Flatness {
  const last = points.at(-1)?.seconds ?? 0;
  const half = points.filter(({ seconds }) => seconds >= last / 2);
  const from = half[0]?.seconds ?? 0;
  const slopes = half.flatMap((a, index) =>
    half
      .slice(index + 1)
      .flatMap((b) => (b.seconds > a.seconds ? [(b.value - a.value) / (b.seconds - a.seconds)] : [])),
  );
  const level = median(half.map(({ value }) => value));
  const rise = median(slopes) * (last - from);
  const allowed = limit.most + limit.part * level;
  return { level, rise, allowed, isFlat: rise <= allowed };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
