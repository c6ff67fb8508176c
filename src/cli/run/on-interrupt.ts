import { createInterruptPolicy } from '../../terminal/interrupt-policy.ts';

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
