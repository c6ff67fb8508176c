import type { Clock } from './clock.ts';

const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock. A timer further away than the system can hold is armed in stages. */
export function createSystemClock(): Clock {
  return {
    now: Date.now,
    at(time, call) {
      let timer: NodeJS.Timeout;
      const arm = () => {
        const left = time - Date.now();
        timer = left > longestTimerMs ? setTimeout(arm, longestTimerMs) : setTimeout(fire, Math.max(0, left));
      };
      // Timers may fire a hair early, and the wall clock may have been set back.
      const fire = () => (Date.now() < time ? arm() : call());
      arm();
      return () => clearTimeout(timer);
    },
  };
}
