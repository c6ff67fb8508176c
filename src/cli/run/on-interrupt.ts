import { createInterruptPolicy } from '../../terminal/chat/interrupt-policy.ts';

/** Ctrl+C in a run: work goes on all the time, so the first cancels it and a second within a second leaves. */
export function onInterrupt({
  cancel,
  leave,
}: {
  readonly cancel: () => void;
  readonly leave: () => void;
}): () => void {
  const policy = createInterruptPolicy();
  const press = () => {
    if (policy.press({ at: performance.now(), isWorking: true }) === 'leave') leave();
    else cancel();
  };
  process.on('SIGINT', press);
  process.on('SIGTERM', leave);
  return () => {
    process.off('SIGINT', press);
    process.off('SIGTERM', leave);
  };
}

/**
 * Work that there is no session for yet, such as setting up a worktree: a signal aborts it, and what it
 * started is ended before the command is. Undefined where that was so.
 */
export async function unlessLeft<Value>(
  leaving: AbortController,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  const leave = () => leaving.abort();
  process.on('SIGINT', leave);
  process.on('SIGTERM', leave);
  try {
    return await work();
  } catch (error) {
    if (leaving.signal.aborted) return undefined;
    throw error;
  } finally {
    process.off('SIGINT', leave);
    process.off('SIGTERM', leave);
  }
}
