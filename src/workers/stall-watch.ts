/**
 * Detects silence with one timer that is checked, not reset, so that frequent activity costs nothing. Ticks measure
 * it: a machine that sleeps, or a clock that is set, makes no job silent.
 */
import type { Clock } from '../ports/clock.ts';

interface StallWatch {
  stop(): void;
}

export function watchStall(
  clock: Clock,
  options: {
    readonly stallMs: number;
    readonly lastTicks: () => number;
    readonly onStalled: (silentMs: number) => void;
  },
): StallWatch {
  const { stallMs, lastTicks } = options;
  const silentMs = () => clock.ticks() - lastTicks();
  let disarm = arm();
  function arm(): () => void {
    return clock.at(clock.now() + stallMs - silentMs(), () => {
      const silent = silentMs();
      if (silent >= stallMs) {
        options.onStalled(silent);
        // Reports each silence once: the next check comes a full interval from now.
        disarm = clock.at(clock.now() + stallMs, () => {
          disarm = arm();
        });
      } else {
        disarm = arm();
      }
    });
  }
  return { stop: () => disarm() };
}
