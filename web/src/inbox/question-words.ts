/** Questions, and who answered them how, in words. */
import type { QuestionSubject } from '../../../src/kernel/question.ts';
import { oneLine } from '../../../src/views/one-line.ts';
import { subjectText } from '../../../src/wording/question.ts';
import type { QuestionItem } from '../../../src/views/transcript-item.ts';

/** In one line, in the words of every other front end. */
export function questionLine(about: QuestionSubject): string {
  return oneLine(subjectText(about));
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
