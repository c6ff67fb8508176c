/** The delay before attempt n: exponential up to a limit, with jitter, so that clients don't reconnect all at once. */
interface BackoffOptions {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly random: () => number;
}

export function backoffMs(attempt: number, { firstMs, mostMs, random }: BackoffOptions): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 20));
  return Math.round(most / 2 + (random() * most) / 2);
}
