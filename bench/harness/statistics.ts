export interface Summary {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

export function summaryOf(values: readonly number[]): Summary {
  const sorted = Float64Array.from(values).toSorted();
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

/** NaN for no values, which tables show as a dash. */
export function medianOf(values: readonly number[]): number {
  return quantile(Float64Array.from(values).toSorted(), 0.5);
}

function quantile(sorted: Float64Array, at: number): number {
  const place = (sorted.length - 1) * at;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}
