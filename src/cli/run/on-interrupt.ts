/** Ctrl+C: the first cancels the work, a second within a second leaves. */
export function onInterrupt({
  cancel,
  leave,
}: {
  readonly cancel: () => void;
  readonly leave: () => void;
}): () => void {
  let last = Number.NEGATIVE_INFINITY;
  const press = () => {
    const now = performance.now();
    if (now - last <= secondPressMs) return leave();
    last = now;
    cancel();
  };
  process.on('SIGINT', press);
  process.on('SIGTERM', leave);
  return () => {
    process.off('SIGINT', press);
    process.off('SIGTERM', leave);
  };
}

const secondPressMs = 1000;
