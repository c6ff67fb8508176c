/** Questions in words, and the words that answer them. */
import { isBlobRef, previewOf } from '../kernel/content.ts';
import type { Question, QuestionSubject } from '../kernel/question.ts';
import { approvalPart } from './call-summary.ts';
import type { OpenQuestion } from './open-question.ts';
import { mainArgument } from './main-argument.ts';

export function questionLine({ id, about }: Question): string {
  return `${id}: ${subjectText(about)}`;
}

/** All that a yes would run, where the question's own words name only a part of it. */
export function wholeCall({ about, args }: OpenQuestion): string | undefined {
  if (args === undefined || (about.type !== 'approval' && about.type !== 'repeat')) return undefined;
  const whole = mainArgument(previewOf(args));
  if (whole === '' || (about.type === 'approval' && whole === about.unit)) return undefined;
  return isBlobRef(args) ? `${whole}… (${args.length} characters in all)` : whole;
}

/** The question and, on lines of their own, all that it is about. */
export function questionText(question: OpenQuestion, indent = '  '): string {
  const whole = wholeCall(question);
  if (whole === undefined) return questionLine(question);
  return `${questionLine(question)}\n${indent}The whole call: ${whole.replaceAll('\n', `\n${indent}  `)}`;
}

export function subjectText(about: QuestionSubject): string {
  switch (about.type) {
    case 'approval':
      return `may ${about.tool} run${about.unit === undefined ? '' : ` (${approvalPart(about)})`}? ${about.reason}`;
    case 'reply-review':
      return 'is this reply good?';
    case 'repeat':
      return `${about.what}: ${about.reason}`;
    case 'clarification':
      return `${previewOf(about.text)}${about.options.length > 0 ? ` [${about.options.join(' | ')}]` : ''}`;
    case 'form':
      return about.url === undefined ? about.title : `${about.title} ${about.url}`;
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
      return about.url === undefined ? `rondo answer ${id} --form '{…}'` : `rondo answer ${id} allow-once`;
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
      return about.url === undefined ? '--form with JSON, or reject' : 'allow-once or reject';
  }
}
