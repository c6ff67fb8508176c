/** Questions in words, and the words that answer them. */
import { previewOf } from '../kernel/content.ts';
import type { Question, QuestionSubject } from '../kernel/question.ts';

export function questionLine({ id, about }: Question): string {
  return `${id}: ${subjectText(about)}`;
}

export function subjectText(about: QuestionSubject): string {
  switch (about.type) {
    case 'approval':
      return `may ${about.tool} run${about.unit === undefined ? '' : ` (${about.unit})`}? ${about.reason}`;
    case 'reply-review':
      return 'is this reply good?';
    case 'repeat':
      return `${about.what}: ${about.reason}`;
    case 'clarification':
      return `${previewOf(about.text)}${about.options.length > 0 ? ` [${about.options.join(' | ')}]` : ''}`;
    case 'form':
      return about.title;
  }
}

/** The command that answers it, with a fitting answer to start from. */
export function answerExample({ id, about }: Question): string {
  switch (about.type) {
    case 'approval':
    case 'reply-review':
    case 'repeat':
      return `rondo answer ${id} allow-once`;
    case 'clarification': {
      const [option] = about.options;
      return option === undefined
        ? `rondo answer ${id} --text "…"`
        : `rondo answer ${id} --option ${JSON.stringify(option)}`;
    }
    case 'form':
      return `rondo answer ${id} --form '{…}'`;
  }
}

/** What may be said to it, for whoever said something else. */
export function fittingAnswers(about: QuestionSubject): string {
  switch (about.type) {
    case 'approval':
      return 'allow-once, allow-session, allow-always or reject';
    case 'reply-review':
    case 'repeat':
      return 'allow-once or reject';
    case 'clarification':
      return about.options.length > 0
        ? `--option with one of ${about.options.map((option) => JSON.stringify(option)).join(', ')}; --text, or reject`
        : '--text or reject';
    case 'form':
      return '--form with JSON, or reject';
  }
}
