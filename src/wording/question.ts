/** A question as one sentence, for lists, notifications and transcripts. `question-card.ts` shows all of it. */
import { previewOf } from '../kernel/content.ts';
import type { QuestionSubject } from '../kernel/question.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { namedPart } from '../views/covering-rule.ts';
import { partsOf } from '../views/part-risk.ts';
import { visibleLine, visibleText } from '../views/visible-text.ts';
import { reasonText } from './reason.ts';

/** The question: the most dangerous of the parts that ask, and the number of all parts. */
export function questionHeading(question: Pick<OpenQuestion, 'about' | 'facts' | 'allowedBy'>): string {
  const { about, facts } = question;
  const parts = partsOf(facts);
  const named = namedPart(question);
  if (about.type === 'clarification') return visibleText(previewOf(about.text)).split('\n')[0] ?? '';
  if (about.type !== 'approval' || named === undefined || parts.length < 2) return subjectText(about);
  return `Allow ${about.tool}: ${visibleLine(named.text)} (1 of ${parts.length} parts)?`;
}

/** The heading with the question's id and reason. */
export function questionLine(question: OpenQuestion): string {
  const { id, about } = question;
  const why =
    about.type === 'approval' || about.type === 'repeat' ? ` ${visibleLine(reasonText(about.reason))}` : '';
  return `${id}: ${questionHeading(question)}${why}`;
}

/** The question's own text, if nothing is known of the call. */
export function subjectText(about: QuestionSubject): string {
  switch (about.type) {
    case 'approval': {
      const { tool, unit, parts = 1 } = about;
      if (unit === undefined) return `Allow ${tool}?`;
      const count = parts > 1 ? ` (1 of ${parts} parts)` : '';
      return `Allow ${tool}${changers.has(tool) ? ' on' : ':'} ${visibleLine(unit)}${count}?`;
    }
    case 'reply-review':
      return 'Approve this reply?';
    case 'repeat':
      return `Run the ${about.what} again?`;
    case 'clarification':
      return visibleLine(previewOf(about.text));
    case 'form':
      return visibleLine(about.url === undefined ? about.title : `${about.title} ${about.url}`);
  }
}

/** The valid answers, shown after an invalid one. */
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

/** Tools that act on one file, which they change. */
const changers: ReadonlySet<string> = new Set(['write', 'edit', 'delete']);
