import type { Clock } from './clock.ts';

const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock. A timer further away than the system can hold is armed in stages. */
export function createSystemClock(): Clock {
  const ticks = () => performance.now();
  return {
    now: () => Date.now(),
    ticks,
    at(time, call) {
      let timer: NodeJS.Timeout;
      const due = ticks() + time - Date.now();
      const arm = () => {
        timer = setTimeout(fire, Math.min(Math.max(0, Math.ceil(due - ticks())), longestTimerMs));
      };
      // Timers may fire a hair early.
      const fire = () => (ticks() < due ? arm() : call());
      arm();
      return () => clearTimeout(timer);
    },
  };
}
