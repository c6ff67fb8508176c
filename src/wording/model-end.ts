import type { MessageItem } from '../views/transcript-item.ts';

/** How the model's message ended. Empty if it was completed. */
export function modelEndText(outcome: MessageItem['outcome']): string {
  switch (outcome.type) {
    case 'completed':
      return '';
    case 'failed':
      return `The model failed: ${outcome.message}`;
    case 'cancelled':
      return 'Cancelled here.';
    case 'timed-out':
      return outcome.message;
  }
}
