/**
 * Whether times mean anything. On a busy machine a process that could run waits for a core, and
 * programs with one thread suffer otherwise than those with two: ratios of times are then wrong as
 * well, not only times. Amounts (bytes, counts) stay right.
 */
import { readFileSync } from 'node:fs';

export interface Waited {
  /** Of the time the main thread could have run, the part it waited for a core; null where the system does not tell. */
  readonly waitedShare: number | null;
}

/** Above this, figures of time are shown but not judged. */
export const mostWaitedShare = 0.1;

export function waitedShareSoFar(): Waited['waitedShare'] {
  let text: string;
  try {
    text = readFileSync('/proc/self/schedstat', 'utf8');
  } catch {
    return null;
  }
  const [ran = 0, waited = 0] = text.split(' ').map(Number);
  return waited / (ran + waited);
}
