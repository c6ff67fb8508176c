import type { ServerClock } from './backend.ts';

/**
 * Slows down guessing. Each wrong secret from an address delays the answer longer than the one before, and an
 * address with too many pending answers gets none. A correct secret is never delayed.
 */
export interface SlowDown {
  /** Waits for the address's delay. False if the server must refuse it at once. */
  failed(address: string): Promise<boolean>;
  succeeded(address: string): void;
}

const forgetAfterMs = 10 * 60_000;
const mostOutstanding = 20;
const mostAddresses = 10_000;

export function createSlowDown(clock: ServerClock): SlowDown {
  const failures = new Map<string, { failures: number; at: number; outstanding: number }>();
  return {
    async failed(address) {
      const now = clock.ticks();
      let entry = failures.get(address);
      if (entry === undefined || now - entry.at > forgetAfterMs) {
        entry = { failures: 0, at: now, outstanding: 0 };
        if (failures.size >= mostAddresses) failures.clear();
        failures.set(address, entry);
      }
      entry.failures += 1;
      entry.at = now;
      if (entry.outstanding >= mostOutstanding) return false;
      const delay = Math.min(2000, 25 * 2 ** Math.min(entry.failures, 8));
      entry.outstanding += 1;
      await new Promise<void>((resolve) => clock.at(clock.now() + delay, resolve));
      entry.outstanding -= 1;
      return true;
    },
    succeeded: (address) => failures.delete(address),
  };
}
