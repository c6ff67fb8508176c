/** A rate limit per second, with bursts of the same size. */
export interface TokenBucket {
  /** True if one more may pass now. */
  take(): boolean;
}

export function createTokenBucket(perSecond: number, now: () => number): TokenBucket {
  let left = perSecond;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(perSecond, left + (Math.max(0, time - at) / 1000) * perSecond);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
