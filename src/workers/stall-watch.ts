/** Detects silence with one timer that is checked, not reset, so that frequent activity costs nothing. */
export interface StallWatch {
  stop(): void;
}

export function watchStall(
  clock: { now(): number; at(time: number, call: () => void): () => void },
  options: {
    readonly stallMs: number;
    readonly lastAt: () => number;
    readonly onStalled: (silentMs: number) => void;
  },
): StallWatch {
  let disarm = arm();
  function arm(): () => void {
    return clock.at(options.lastAt() + options.stallMs, () => {
      const silentMs = clock.now() - options.lastAt();
      if (silentMs >= options.stallMs) {
        options.onStalled(silentMs);
        // Reports each silence once: the next check comes a full interval from now.
        disarm = clock.at(clock.now() + options.stallMs, () => {
          disarm = arm();
        });
      } else {
        disarm = arm();
      }
    });
  }
  return { stop: () => disarm() };
}
