import type { AppendAnswer, AppendRequest, Journal } from '../../ports/journal.ts';
import { Fault } from '../../kernel/fault.ts';

const firstPauseMs = 50;
const longestPauseMs = 1000;

export interface Patience {
  readonly journal: Pick<Journal, 'append'>;
  readonly pause: (ms: number) => Promise<void>;
  /** Nobody waits for the session any more. */
  readonly isOver: () => boolean;
  /** Called before each new try. */
  readonly onBusy: () => Promise<void> | undefined;
}

/** Appends, and repeats it for as long as another program keeps the store locked. Every other fault is thrown. */
export async function appendPatiently(
  request: AppendRequest,
  { journal, pause, isOver, onBusy }: Patience,
): Promise<AppendAnswer> {
  for (let ms = firstPauseMs; ; ms = Math.min(ms * 2, longestPauseMs)) {
    try {
      return await journal.append(request);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'busy' || isOver()) throw error;
      await onBusy();
      await pause(ms);
    }
  }
}
