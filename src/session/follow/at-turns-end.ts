/**
 * Batches work until the end of an event-loop turn, so that Rondo sends a turn's output to many readers once.
 *
 * 1. Work that such work schedules runs right after it, in the same batch.
 * 2. A busy turn, such as a thousand sessions starting at once, doesn't delay work without bound: once enough is
 *    queued, all of it runs.
 */
let waiting: (() => void)[] = [];
let isRunning = false;

const mostWaiting = 64;

export function atTurnsEnd(work: () => void): void {
  const count = waiting.push(work);
  if (isRunning) return;
  if (count === 1) process.nextTick(run);
  else if (count >= mostWaiting) run();
}

function run(): void {
  isRunning = true;
  let works: readonly (() => void)[] = [];
  let done = 0;
  try {
    while (waiting.length > 0) {
      works = waiting;
      waiting = [];
      done = 0;
      for (const work of works) {
        done += 1;
        work();
      }
    }
  } finally {
    isRunning = false;
    // One failure must not affect the rest.
    if (done < works.length || waiting.length > 0) {
      waiting = [...works.slice(done), ...waiting];
      process.nextTick(run);
    }
  }
}
