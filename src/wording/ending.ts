import type { Ending } from '../kernel/outcome.ts';

/** How a turn ended, in words. */
export function endingText(ending: Ending): string {
  switch (ending.type) {
    case 'completed':
      return 'completed';
    case 'cancelled':
      return ending.reason === undefined ? 'cancelled' : `cancelled: ${ending.reason}`;
    case 'timed-out':
      return `timed out: ${ending.message}`;
    case 'failed':
      return `failed (${ending.code}): ${ending.message}`;
  }
}
