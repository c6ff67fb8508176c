/** A timeout that doesn't count the time in which a person thinks. */
interface PausableDeadline extends Disposable {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** Pauses until the returned function is called. */
  pause(): () => void;
}

export function createPausableDeadline(milliseconds: number): PausableDeadline {
  const over = new AbortController();
  let left = milliseconds;
  let pauses = 0;
  let startedAt = performance.now();
  const arm = () => setTimeout(() => over.abort(), left);
  let timer = arm();
  return {
    signal: over.signal,
    pause() {
      pauses += 1;
      if (pauses === 1) {
        clearTimeout(timer);
        left -= performance.now() - startedAt;
      }
      return () => {
        pauses -= 1;
        if (pauses > 0) return;
        startedAt = performance.now();
        timer = arm();
      };
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
