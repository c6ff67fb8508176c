import os from 'node:os';

/** The store's clocks. */
export interface StoreClock {
  now(): number;
  /** Milliseconds since boot: the same for all processes, and unaffected by clock changes. */
  uptime(): number;
  /** Calls repeatedly without keeping the process alive. Returns a function that stops it. */
  every(intervalMs: number, call: () => void): () => void;
}

export const wallClock: StoreClock = {
  now: () => Date.now(),
  uptime: () => os.uptime() * 1000,
  every(intervalMs, call) {
    const timer = setInterval(call, intervalMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
