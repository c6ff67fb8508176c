import type { Update } from './update.ts';

/**
 * One reader's bounded queue. Pushing never waits: a reader that falls behind by more than `limit`
 * updates loses what is queued and is told so by `lagged`; from there it starts afresh.
 */
export interface FollowerQueue {
  push(update: Update): void;
  /** The next update; undefined when the queue was ended and is empty. */
  next(): Promise<Update | 'lagged' | undefined>;
  /** The reader has everything up to this instant by another way. */
  startAfresh(): void;
  /** The reader has the text being streamed at this instant by another way. */
  dropProgress(): void;
  end(): void;
}

export function createFollowerQueue(limit: number): FollowerQueue {
  let queue: Update[] = [];
  let head = 0;
  let hasLagged = false;
  let isEnded = false;
  let wake: (() => void) | undefined;
  const signal = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push(update) {
      if (isEnded || hasLagged) return;
      if (queue.length - head >= limit) {
        queue = [];
        head = 0;
        hasLagged = true;
      } else {
        queue.push(update);
      }
      signal();
    },
    async next() {
      for (;;) {
        if (hasLagged) {
          hasLagged = false;
          return 'lagged';
        }
        const update = queue[head];
        if (update !== undefined) {
          head += 1;
          if (head === queue.length) {
            queue = [];
            head = 0;
          }
          return update;
        }
        if (isEnded) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    startAfresh() {
      queue = [];
      head = 0;
      hasLagged = false;
    },
    dropProgress() {
      queue = queue.slice(head).filter(({ type }) => type !== 'progress');
      head = 0;
    },
    end() {
      isEnded = true;
      signal();
    },
  };
}
