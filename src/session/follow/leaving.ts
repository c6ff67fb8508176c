/**
 * That a reader has left: known at any time, and told to the one who serves it. A signal would do and costs a
 * hundred times as much; there are many readers, and most of them leave without anybody having passed one.
 */
export interface Leaving {
  hasLeft: boolean;
  /** Who serves the reader now. */
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

/** Leaves when the signal is aborted; `forget` when it no longer matters. */
export function leaveOn(signal: AbortSignal, leaving: Leaving): () => void {
  const abort = () => leave(leaving);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return () => signal.removeEventListener('abort', abort);
}
