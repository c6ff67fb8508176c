import type { FollowSink } from './follow-into.ts';
import type { Update } from './update.ts';

interface Pull {
  readonly resolve: (next: IteratorResult<Update>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Updates for a reader that pulls. They wait in a bounded queue; a reader that leaves it full is told
 * nothing more until it has emptied it, and then goes on with a gap and a snapshot. Nothing starts
 * before the first pull; `run` ends when its signal does.
 */
export function follow(
  run: (sink: FollowSink, signal: AbortSignal) => Promise<void>,
  { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal },
): AsyncIterableIterator<Update> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let queue: Update[] = [];
  let head = 0;
  let state: 'unstarted' | 'running' | 'ended' = 'unstarted';
  let failure: { readonly error: unknown } | undefined;
  /** Pulls that nothing was there for. */
  let pulls: readonly Pull[] = [];
  let wakeSource: (() => void) | undefined;

  const sink: FollowSink = {
    tell(update) {
      const [pull] = pulls;
      if (pull === undefined) return void queue.push(update);
      pulls = pulls.slice(1);
      pull.resolve({ done: false, value: update });
    },
    get isBehind() {
      return queue.length - head >= limit;
    },
    ready: () => (head === queue.length ? Promise.resolve() : new Promise((resolve) => (wakeSource = resolve))),
  };

  function start(): void {
    state = 'running';
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    run(sink, controller.signal)
      .catch((error: unknown) => (failure = { error }))
      .finally(() => {
        state = 'ended';
        signal?.removeEventListener('abort', abort);
        const left = pulls;
        pulls = [];
        for (const { resolve, reject } of left) end().then(resolve, reject);
      });
  }

  function taken(): Update | undefined {
    const update = queue[head];
    if (update === undefined) return undefined;
    head += 1;
    if (head === queue.length) {
      queue = [];
      head = 0;
      wakeSource?.();
      wakeSource = undefined;
    }
    return update;
  }

  async function end(): Promise<IteratorResult<Update>> {
    if (failure !== undefined) throw failure.error;
    return { done: true, value: undefined };
  }

  return {
    next() {
      if (state === 'unstarted') start();
      const update = taken();
      if (update !== undefined) return Promise.resolve({ done: false, value: update });
      if (state === 'ended') return end();
      return new Promise((resolve, reject) => (pulls = [...pulls, { resolve, reject }]));
    },
    return() {
      abort();
      queue = [];
      head = 0;
      wakeSource?.();
      state = 'ended';
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
