/**
 * A question as lists show it. A card has all facts of the call; a list has only its subject, so the parts that the
 * sentence names come with it, and both show the same sentence.
 */
import type { Question, QuestionSubject } from '../kernel/question.ts';
import type { State } from '../kernel/state.ts';
import { openQuestionOf } from './open-question.ts';
import { partsOf, worstParts, type PartFacts } from './part-risk.ts';

export type ListedSubject = QuestionSubject & {
  /** The parts that the sentence names, worst first. Absent for a call of one part. */
  readonly worst?: readonly PartFacts[];
};

export function listedSubject(question: Question, state: State): ListedSubject {
  const parts = partsOf(openQuestionOf(question, state).facts);
  return parts.length < 2 ? question.about : { ...question.about, worst: worstParts(parts).map(named) };
}

function named({ text, effect, opaque, dangers }: PartFacts): PartFacts {
  return { text, ...(effect !== undefined && { effect }), ...(opaque === true && { opaque }), dangers };
}
