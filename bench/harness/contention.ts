/**
 * Whether times are meaningful. On a busy machine a runnable process waits for a core, and load affects programs
 * with one thread and with two differently, so even ratios of times are wrong. Amounts (bytes, counts) stay
 * correct.
 */
import { readFileSync } from 'node:fs';

export interface Waited {
  /** Share of its runnable time that the main thread waited for a core. Null if the system doesn't report it. */
  readonly waitedShare: number | null;
}

/** Above this, time figures are shown but not judged. */
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
