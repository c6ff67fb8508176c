import type { Clock } from '../ports/clock.ts';

/**
 * A clock that moves only when advanced. As on a real machine, ticks are fractional and two readings are never
 * equal; timers fire on a whole millisecond, never early; the time of day is a whole number.
 */
export interface FakeClock extends Clock {
  /** Runs every timer due within the span, in order. Lets the work each one started settle before the next. */
  advance(ms: number): Promise<void>;
  /** Sets the time of day forward or back. Armed timers keep their due time. */
  set(byMs: number): void;
  /** Due times of armed timers, earliest first. */
  readonly armed: readonly number[];
}

/** A clock that stands still until advanced. */
export function createFakeClock(options: { readonly now?: number } = {}): FakeClock {
  let ticks = 0;
  let start = options.now ?? 1_000_000;
  let order = 0;
  let readings = 0;
  const timers = new Map<number, { readonly time: number; readonly call: () => void }>();
  const earliest = () => [...timers].toSorted(([a, x], [b, y]) => x.time - y.time || a - b)[0];
  return {
    now: () => start + ticks,
    ticks: () => ticks + (readings += 1) / 2 ** 20,
    uptime: () => ticks,
    set: (byMs) => void (start += byMs),
    at(time, call) {
      const id = order++;
      timers.set(id, { time: Math.ceil(time - start), call });
      return () => timers.delete(id);
    },
    async advance(ms) {
      const end = ticks + ms;
      await settle();
      for (let next = earliest(); next !== undefined && next[1].time <= end; next = earliest()) {
        timers.delete(next[0]);
        ticks = Math.max(ticks, next[1].time);
        next[1].call();
        await settle();
      }
      ticks = end;
      await settle();
    },
    get armed() {
      return [...timers.values()].map((timer) => timer.time + start).toSorted((a, b) => a - b);
    },
  };
}

/** Lets pending promises and immediate callbacks run, including the store's real ones. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
