/**
 * A question as lists show it. A card has all facts of the call; a list has only its subject, so the parts that the
 * sentence names come with it, and both show the same sentence.
 */
import { optional } from '../kernel/optional.ts';
import type { Question, QuestionSubject } from '../kernel/question.ts';
import type { State } from '../kernel/state.ts';
import { askingParts } from './covering-rule.ts';
import { openQuestionOf, type AskedFacts, type OpenQuestion } from './open-question.ts';
import { partsOf, worstParts, type PartFacts } from './part-risk.ts';

export type ListedSubject = QuestionSubject & {
  /** The parts that the sentence names, worst first. Absent if `unit` is the only one. */
  readonly worst?: readonly PartFacts[];
};

export function listedSubject(question: Question, state: State): ListedSubject {
  const { about, facts, allowedBy } = openQuestionOf(question, state);
  return withParts(about, facts, allowedBy);
}

/** The subject with the parts that its sentence names, if the facts of the call are known. */
export function withParts(
  about: ListedSubject,
  facts: AskedFacts | undefined,
  allowedBy?: OpenQuestion['allowedBy'],
): ListedSubject {
  const parts = partsOf(facts);
  if (about.type === 'approval' && parts.length > 1) {
    const asking = askingParts({ about, ...optional({ facts, allowedBy }) });
    return { ...about, parts: parts.length, worst: worstParts(asking).map(named) };
  }
  const [only] = parts;
  if (only === undefined || about.type !== 'approval' || about.unit === undefined) return about;
  // A host that the one command reaches isn't another part of it.
  return about.unit === only.text ? about : { ...about, parts: 1, worst: [named(only)] };
}

function named({ text, effect, opaque, dangers }: PartFacts): PartFacts {
  return { text, ...optional({ effect }), ...(opaque === true && { opaque }), dangers };
}
