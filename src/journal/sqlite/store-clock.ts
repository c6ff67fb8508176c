/** Time for leases: the wall clock, because it must mean the same to every process. */
export interface StoreClock {
  now(): number;
  /** Calls again and again; keeps no process alive. Returns what ends it. */
  every(intervalMs: number, call: () => void): () => void;
}

export const wallClock: StoreClock = {
  now: () => Date.now(),
  every(intervalMs, call) {
    const timer = setInterval(call, intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
