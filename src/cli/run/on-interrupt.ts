import { createInterruptPolicy } from '../../terminal/chat/interrupt-policy.ts';

/** Ctrl+C in a run: the first cancels the current work, and another within a second exits. */
export function onInterrupt({
  cancel,
  leave,
}: {
  readonly cancel: () => void;
  readonly leave: () => void;
}): () => void {
  const policy = createInterruptPolicy({ secondPressMs: 1000 });
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
 * Runs work that precedes the session, such as setting up a worktree. A signal aborts it, and everything it started
 * ends before the command does. Undefined if it was aborted.
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
