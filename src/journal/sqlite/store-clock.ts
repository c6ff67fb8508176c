import os from 'node:os';

/** Time for leases: the wall clock, because it must mean the same to every process. */
export interface StoreClock {
  now(): number;
  /** Milliseconds since the machine started: the same to its processes, and on it goes when the clock is set. */
  uptime(): number;
  /** Calls again and again; keeps no process alive. Returns what ends it. */
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
