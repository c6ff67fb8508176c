import type { ModelOutcome } from '../kernel/input.ts';
import type { MessageItem } from '../views/transcript-item.ts';

/** How the model's message ended. Empty if it is complete. */
export function modelEndText(outcome: MessageItem['outcome']): string {
  switch (outcome.type) {
    case 'completed':
      return replyProblem(outcome);
    case 'failed':
      return `The model failed: ${outcome.message}`;
    case 'cancelled':
      return 'Cancelled here.';
    case 'timed-out':
      return outcome.message;
  }
}

/** What is wrong with a reply that the provider calls complete. */
export function replyProblem(outcome: ModelOutcome | MessageItem['outcome']): string {
  return outcome.type === 'completed' && outcome.stop === 'length'
    ? 'The reply was cut off at the length limit.'
    : '';
}
