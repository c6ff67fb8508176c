import os from 'node:os';

import type { Clock } from '../ports/clock.ts';

const longestTimerMs = 2 ** 31 - 1;
const lookForSleepMs = 5000;
/** More than the normal difference between two readings of the machine's clocks. */
const leastSleepMs = 500;

export interface SystemClockParts {
  /** Milliseconds since the machine started, including sleep. */
  readonly uptime?: () => number;
  readonly lookEveryMs?: number;
}

/**
 * The machine's clock. A timer beyond the system's limit is armed in stages. The system's timers stop while the
 * machine sleeps: the clock detects a sleep by comparing two clocks, and rearms timers to compensate.
 */
export function createSystemClock({
  uptime = () => os.uptime() * 1000,
  lookEveryMs = lookForSleepMs,
}: SystemClockParts = {}): Clock {
  const ticks = () => performance.now();
  const armed = new Set<() => void>();
  let sleptMs = 0;
  let ahead = uptime() - ticks();
  let looking: NodeJS.Timeout | undefined;
  const elapsed = () => ticks() + sleptMs;

  function look(): void {
    const slept = uptime() - ticks() - ahead;
    if (slept < leastSleepMs) return;
    ahead += slept;
    sleptMs += slept;
    for (const arm of armed) arm();
  }

  return {
    now: () => Date.now(),
    ticks,
    uptime,
    at(time, call) {
      let timer: NodeJS.Timeout | undefined;
      const due = elapsed() + time - Date.now();
      const arm = () => {
        clearTimeout(timer);
        timer = setTimeout(fire, Math.min(Math.max(0, Math.ceil(due - elapsed())), longestTimerMs));
      };
      const disarm = () => {
        clearTimeout(timer);
        armed.delete(arm);
        if (armed.size > 0) return;
        clearInterval(looking);
        looking = undefined;
      };
      // Timers may fire slightly early.
      const fire = () => {
        if (elapsed() < due) return arm();
        disarm();
        call();
      };
      arm();
      armed.add(arm);
      if (looking === undefined) {
        // A sleep while no timer was armed delays nothing.
        ahead = uptime() - ticks();
        looking = setInterval(look, lookEveryMs).unref();
      }
      return disarm;
    },
  };
}
