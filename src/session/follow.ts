import type { FollowSink } from './follow-into.ts';
import type { Update } from './update.ts';

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
  let wakeReader: (() => void) | undefined;
  let wakeSource: (() => void) | undefined;

  const sink: FollowSink = {
    tell(update) {
      queue.push(update);
      wakeReader?.();
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
        wakeReader?.();
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

  async function wait(): Promise<IteratorResult<Update>> {
    for (;;) {
      const update = taken();
      if (update !== undefined) return { done: false, value: update };
      if (failure !== undefined) throw failure.error;
      if (state === 'ended') return { done: true, value: undefined };
      await new Promise<void>((resolve) => (wakeReader = resolve));
      wakeReader = undefined;
    }
  }

  return {
    next() {
      if (state === 'unstarted') start();
      const update = taken();
      return update === undefined ? wait() : Promise.resolve({ done: false, value: update });
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
