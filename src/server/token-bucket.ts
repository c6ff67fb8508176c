/** So many a second, and as many at once; refills as time passes. */
export interface TokenBucket {
  /** True where one more may pass now. */
  take(): boolean;
}

export function createTokenBucket(perSecond: number, now: () => number, capacity = perSecond): TokenBucket {
  let left = capacity;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(capacity, left + (Math.max(0, time - at) / 1000) * perSecond);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
