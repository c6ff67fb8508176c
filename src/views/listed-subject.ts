/**
 * A question as lists show it. A card has all facts of the call; a list has only its subject, so the parts that the
 * sentence names come with it, and both show the same sentence.
 */
import { optional } from '../kernel/optional.ts';
import type { Question, QuestionSubject } from '../kernel/question.ts';
import type { State } from '../kernel/state.ts';
import { openQuestionOf, type AskedFacts } from './open-question.ts';
import { partsOf, worstParts, type PartFacts } from './part-risk.ts';

export type ListedSubject = QuestionSubject & {
  /** The parts that the sentence names, worst first. Absent if `unit` is the only one. */
  readonly worst?: readonly PartFacts[];
};

export function listedSubject(question: Question, state: State): ListedSubject {
  return withParts(question.about, openQuestionOf(question, state).facts);
}

/** The subject with the parts that its sentence names, if the facts of the call are known. */
export function withParts(about: ListedSubject, facts: AskedFacts | undefined): ListedSubject {
  const parts = partsOf(facts);
  if (parts.length > 1) return { ...about, worst: worstParts(parts).map(named) };
  const [only] = parts;
  if (only === undefined || about.type !== 'approval' || about.unit === undefined) return about;
  // A host that the one command reaches isn't another part of it.
  return facts?.urls?.includes(about.unit) === true ? { ...about, parts: 1, worst: [named(only)] } : about;
}

function named({ text, effect, opaque, dangers }: PartFacts): PartFacts {
  return { text, ...optional({ effect }), ...(opaque === true && { opaque }), dangers };
}
