import type { Clock } from '../ports/clock.ts';

/**
 * Time that moves only when told to. As on a real machine, ticks are fractional and two readings of them are
 * never equal, timers fire on a whole millisecond, never early, and the time of day is whole.
 */
export interface FakeClock extends Clock {
  /** Runs every timer due within the span, in order, letting what it woke settle before the next. */
  advance(ms: number): Promise<void>;
  /** The time of day is set, forward or back; nothing that was armed is due sooner or later for it. */
  set(byMs: number): void;
  /** Times of the timers that are armed, earliest first. */
  readonly armed: readonly number[];
}

/** A clock that stands until it is told to go. */
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

/** Lets pending promises and immediate callbacks run, real ones of the store's included. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
