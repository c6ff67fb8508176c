/** `987`, `14.1k`, `2.3M`: a count, shortened to fit a line. */
export function amountText(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_950 ? `${shortened(count / 1000)}k` : `${shortened(count / 1_000_000)}M`;
}

/** `14.1k tokens`. */
export function tokensText(count: number): string {
  return `${amountText(count)} tokens`;
}

function shortened(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toFixed(1)));
}
