import type { Ending } from '../kernel/outcome.ts';

/** How a turn ended. */
export function endingText(ending: Ending): string {
  switch (ending.type) {
    case 'completed':
      return 'Completed';
    case 'cancelled':
      return ending.reason === undefined ? 'Stopped' : `Stopped: ${ending.reason}`;
    case 'timed-out':
      return `Timed out: ${ending.message}`;
    case 'failed':
      return `Failed: ${ending.message} (${ending.code})`;
  }
}
