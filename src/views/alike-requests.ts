/**
 * Open requests that one answer may cover: the same tool, and every rule that one of them could save covers the others
 * too. What can't be undone is never among them.
 */
import type { QuestionSubject } from '../kernel/question.ts';
import type { OpenQuestion } from './open-question.ts';

type Approval = Extract<QuestionSubject, { type: 'approval' }>;

/** The others, without the request itself. */
export function alikeRequests(
  question: OpenQuestion,
  open: readonly OpenQuestion[],
  isDangerous: (question: OpenQuestion) => boolean,
): readonly OpenQuestion[] {
  if (isDangerous(question)) return [];
  const key = keyOf(question.about);
  if (key === undefined) return [];
  return open.filter((one) => one.id !== question.id && keyOf(one.about) === key && !isDangerous(one));
}

/** Without a rule there is nothing that says what they share. */
function keyOf(about: QuestionSubject): string | undefined {
  if (about.type !== 'approval' || about.options !== undefined || about.grants.length === 0) return undefined;
  const { tool, effect, grants, rule }: Approval = about;
  return JSON.stringify([tool, effect, grants, rule]);
}
