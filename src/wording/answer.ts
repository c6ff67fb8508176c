import type { Answer } from '../kernel/question.ts';
import { oneLine } from '../views/one-line.ts';
import type { QuestionItem } from '../views/transcript-item.ts';
import { nameFor } from './viewer.ts';

/** How a question ended, for a viewer of that name. Undefined while it is open. */
export function questionEndText(state: QuestionItem['state'], viewer?: string): string | undefined {
  switch (state.type) {
    case 'open':
      return undefined;
    case 'answered':
      return `${answeredText(state.answer)} by ${nameFor(viewer, state.by.name)}`;
    case 'expired':
      return 'Expired: nobody answered in time';
    case 'cancelled':
      return 'Withdrawn: the turn was stopped';
    case 'superseded':
      return 'Withdrawn: the agent was restarted';
  }
}

/** How a question was answered, worded so that `by NAME` may follow. */
export function answeredText(answer: Answer): string {
  switch (answer.type) {
    case 'allow-once':
      return 'Allowed once';
    case 'allow-edited':
      return 'Allowed with changes';
    case 'allow-session':
      return 'Allowed for this session';
    case 'allow-always':
      return 'Always allowed';
    case 'reject':
      return answer.reason === undefined ? 'Rejected' : `Rejected (“${oneLine(answer.reason)}”)`;
    case 'option':
      return `Chose “${oneLine(answer.option)}”`;
    case 'text':
      return `Answered “${oneLine(answer.text)}”`;
    case 'form':
      return 'Filled in';
  }
}
