import type { FollowSink } from './follow-into.ts';
import { leave, leaveOn, newLeaving, type Leaving } from './leaving.ts';
import type { Update } from '../update.ts';

interface Pull {
  readonly resolve: (next: IteratorResult<Update>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Updates for a reader that pulls, through a bounded queue. A reader that leaves the queue full receives nothing
 * until it has emptied it, then a gap and a snapshot. Nothing starts before the first pull. `run` ends when its
 * reader leaves.
 */
export function follow(
  run: (sink: FollowSink, leaving: Leaving) => Promise<unknown>,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
): AsyncIterableIterator<Update> {
  const leaving = newLeaving();
  let queue: Update[] = [];
  let head = 0;
  let state: 'unstarted' | 'running' | 'ended' = 'unstarted';
  let failure: { readonly error: unknown } | undefined;
  /** Pulls that still wait for an update. */
  let pulls: Pull[] = [];
  let wakeSource: (() => void) | undefined;

  // A plain property kept up to date: it is read for every update, and an accessor would slow the object down.
  const sink = {
    isBehind: limit <= 0,
    tell(update: Update) {
      const pull = pulls.shift();
      if (pull !== undefined) return pull.resolve({ done: false, value: update });
      queue.push(update);
      sink.isBehind = queue.length - head >= limit;
    },
    ready: () =>
      head === queue.length ? Promise.resolve() : new Promise<void>((resolve) => (wakeSource = resolve)),
  };

  function start(): void {
    state = 'running';
    const forget = signal && leaveOn(signal, leaving);
    const finish = () => {
      state = 'ended';
      forget?.();
      const left = pulls;
      pulls = [];
      for (const { resolve, reject } of left) end().then(resolve, reject);
    };
    run(sink, leaving).then(finish, (error: unknown) => {
      failure = { error };
      finish();
    });
  }

  function empty(): void {
    queue = [];
    head = 0;
    sink.isBehind = limit <= 0;
    wakeSource?.();
    wakeSource = undefined;
  }

  function taken(): Update | undefined {
    const update = queue[head];
    if (update === undefined) return undefined;
    head += 1;
    if (head === queue.length) empty();
    else if (sink.isBehind) sink.isBehind = queue.length - head >= limit;
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
      return new Promise((resolve, reject) => void pulls.push({ resolve, reject }));
    },
    return() {
      leave(leaving);
      empty();
      state = 'ended';
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
