/**
 * Whether a figure of a long run stays flat. The first half is warm-up and ignored. Through the second half a line
 * is fitted by the median of the slopes of all pairs of samples (Theil–Sen), which a few outliers don't move. Its
 * rise over that half is compared with a limit.
 */
export interface Limit {
  /** Allowed rise at any level, in the figure's unit. */
  readonly most: number;
  /** Allowed rise as a fraction of the level. */
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
