const everyMs = 100;

/**
 * When to try the next server. The client compares the answer with the wall clock's time since its last attempt, so a
 * clock that is set back an hour would keep it away for an hour. A negative answer means: at once.
 */
export function reconnectDelay(): () => number {
  let tried = -Infinity;
  return () => {
    if (performance.now() < tried + everyMs) return everyMs;
    tried = performance.now();
    return -Infinity;
  };
}
