/** Questions, and who answered them how, in words. */
import { previewOf } from '../../../src/kernel/content.ts';
import type { QuestionSubject } from '../../../src/kernel/question.ts';
import { approvalPart } from '../../../src/views/call-summary.ts';
import { oneLine } from '../../../src/views/one-line.ts';
import type { QuestionItem } from '../../../src/views/transcript-item.ts';

export function questionLine(about: QuestionSubject): string {
  switch (about.type) {
    case 'approval':
      return about.unit === undefined
        ? `May it use ${about.tool}?`
        : `May it use ${about.tool}: ${approvalPart(about)}?`;
    case 'reply-review':
      return 'Is this reply good to go?';
    case 'repeat':
      return `It is not known whether the ${about.what} went through. Run it again?`;
    case 'clarification':
      return oneLine(previewOf(about.text));
    case 'form':
      return about.title;
  }
}

/** How it ended; undefined while it is open. */
export function endingLine({ state }: Pick<QuestionItem, 'state'>): string | undefined {
  switch (state.type) {
    case 'open':
      return undefined;
    case 'expired':
      return 'Nobody answered in time';
    case 'cancelled':
      return 'No longer asked: the turn was stopped';
    case 'superseded':
      return 'No longer asked: the agent was started again';
    case 'answered':
      return `${answerWord(state.answer)} by ${state.by.name}`;
  }
}

type Answer = Extract<QuestionItem['state'], { type: 'answered' }>['answer'];

function answerWord(answer: Answer): string {
  switch (answer.type) {
    case 'allow-once':
      return 'Allowed once';
    case 'allow-session':
      return 'Allowed for the session';
    case 'allow-always':
      return 'Allowed always';
    case 'reject':
      return answer.reason === undefined ? 'Rejected' : `Rejected (“${oneLine(answer.reason)}”)`;
    case 'option':
      return `“${oneLine(answer.option)}” chosen`;
    case 'text':
      return `Answered “${oneLine(answer.text)}”`;
    case 'form':
      return 'Filled in';
  }
}
