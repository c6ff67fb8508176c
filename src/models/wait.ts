import type { Clock } from '../ports/clock.ts';

/** Waits for a time or an abort, and returns which came first. */
export async function waitForTime(
  clock: Clock,
  time: number,
  signal: AbortSignal,
): Promise<'reached' | 'aborted'> {
  if (signal.aborted) return 'aborted';
  return await new Promise((resolve) => {
    const stop = () => {
      cancel();
      resolve('aborted');
    };
    const cancel = clock.at(time, () => {
      signal.removeEventListener('abort', stop);
      resolve('reached');
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Seconds from one second on, milliseconds below. */
export function spanText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}
