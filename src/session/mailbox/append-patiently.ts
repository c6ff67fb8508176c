import type { AppendAnswer, AppendRequest, Journal } from '../../ports/journal.ts';
import { Fault } from '../../kernel/fault.ts';

const firstPauseMs = 50;
const longestPauseMs = 1000;

export interface PatientAppend {
  readonly journal: Pick<Journal, 'append'>;
  readonly pause: (ms: number) => Promise<void>;
  /** True if nothing waits for the session any more. */
  readonly isOver: () => boolean;
  /** Called before each retry. */
  readonly onBusy: () => Promise<void> | undefined;
}

/**
 * Appends, and retries while the store is locked or can't be reached. The request keeps its id, so that an attempt
 * whose answer was lost isn't written twice (O16). Throws every other fault.
 */
export async function appendPatiently(
  request: AppendRequest,
  { journal, pause, isOver, onBusy }: PatientAppend,
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
