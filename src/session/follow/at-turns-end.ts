/**
 * Work for the end of a turn of the loop, done together: what one turn has for many readers goes out once.
 *
 * 1. What such work asks for in its turn is done right after it, in the same go.
 * 2. A turn in which much happens, as when a thousand sessions begin at once, is not waited for: when so many
 *    wait, all of it is done.
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
    // Something broke; the others are not to suffer from it.
    if (done < works.length || waiting.length > 0) {
      waiting = [...works.slice(done), ...waiting];
      process.nextTick(run);
    }
  }
}
