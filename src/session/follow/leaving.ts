/**
 * Tracks whether a reader has left, and notifies its server. An `AbortSignal` would work but costs a hundred times
 * as much, there are many readers, and most leave without a signal.
 */
export interface Leaving {
  hasLeft: boolean;
  /** Set by the code that currently serves the reader. */
  onLeft: (() => void) | undefined;
}

export function newLeaving(): Leaving {
  return { hasLeft: false, onLeft: undefined };
}

export function leave(leaving: Leaving): void {
  if (leaving.hasLeft) return;
  leaving.hasLeft = true;
  leaving.onLeft?.();
}

/** Leaves when the signal aborts. Call the returned function once the signal no longer matters. */
export function leaveOn(signal: AbortSignal, leaving: Leaving): () => void {
  const abort = () => leave(leaving);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return () => signal.removeEventListener('abort', abort);
}
