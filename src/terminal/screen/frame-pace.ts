/** A stream draws at most 30 frames a second, so that a slow connection keeps up. Keys don't wait: they draw at once. */
const frameMs = 34;

interface FramePace {
  /** Draws now, or once the last frame is old enough. */
  soon(): void;
  close(): void;
}

export function createFramePace(draw: () => void): FramePace {
  let last = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function frame(): void {
    timer = undefined;
    last = performance.now();
    draw();
  }

  return {
    soon() {
      if (timer !== undefined) return;
      const wait = last + frameMs - performance.now();
      if (wait <= 0) frame();
      else timer = setTimeout(frame, wait);
    },
    close: () => clearTimeout(timer),
  };
}
