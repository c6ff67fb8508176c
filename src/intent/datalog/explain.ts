/**
 * Explains why a fact holds: the clause that first derived it, and recursively why each premise of that clause
 * holds.
 */
import type { ClauseArgument } from './compile-clause.ts';
import type { FactDatabase, Derivation } from './evaluate.ts';
import {
  clauseToText,
  factToText,
  placeToText,
  valueToText,
  type Fact,
  type Literal,
  type Term,
  type Value,
} from './program.ts';
import { tupleKey } from './relation.ts';

export type Proof =
  | { readonly type: 'given'; readonly fact: string }
  | {
      readonly type: 'derived';
      readonly fact: string;
      readonly rule: string;
      /** File, line and column of the rule. */
      readonly place: string;
      readonly because: readonly Proof[];
      /** The required absences and the comparisons that held, as text. */
      readonly and: readonly string[];
    };

/** The proof of a fact. Undefined if it doesn't hold. */
export function explainFact(database: FactDatabase, fact: Fact): Proof | undefined {
  if (database.relations.get(fact.predicate)?.has(fact.values) !== true) return undefined;
  const derivation = database.derivations.get(fact.predicate)?.get(tupleKey(fact.values));
  if (derivation === undefined) return { type: 'given', fact: factToText(fact) };
  const { clause, steps } = derivation.by;
  const because = steps.flatMap((step) => {
    if (step.type !== 'scan') return [];
    const premise = premiseOf(database, step.predicate, step.arguments, derivation);
    const proof = premise === undefined ? undefined : explainFact(database, premise);
    return proof === undefined ? [] : [proof];
  });
  return {
    type: 'derived',
    fact: factToText(fact),
    rule: clauseToText(clause),
    place: placeToText(clause.place),
    because,
    and: clause.body.flatMap((literal) => (literal.type === 'holds' ? [] : [grounded(literal, derivation)])),
  };
}

export function proofToLines(proof: Proof, indent = ''): readonly string[] {
  if (proof.type === 'given') return [`${indent}${proof.fact}`];
  return [
    `${indent}${proof.fact}  by ${proof.place}: ${proof.rule}`,
    ...proof.because.flatMap((each) => proofToLines(each, `${indent}  `)),
    ...proof.and.map((text) => `${indent}  ${text}`),
  ];
}

/** Some tuple matched the wildcard. The first earlier one that fits is as good as any. */
function premiseOf(
  database: FactDatabase,
  predicate: string,
  args: readonly ClauseArgument[],
  { slots }: Derivation,
): Fact | undefined {
  const wanted = args.map((argument): Value | undefined => {
    if (argument.type === 'any') return undefined;
    return argument.type === 'value' ? argument.value : slots[argument.slot];
  });
  const values = database.relations
    .get(predicate)
    ?.tuples.find((tuple) => wanted.every((value, column) => value === undefined || value === tuple[column]));
  return values === undefined ? undefined : { predicate, values };
}

function grounded(literal: Exclude<Literal, { type: 'holds' }>, { by, slots }: Derivation): string {
  const show = (term: Term): string => {
    if (term.type === 'any') return '_';
    const value = term.type === 'value' ? term.value : slots[by.variables.indexOf(term.name)];
    return valueToText(value ?? '');
  };
  if (literal.type === 'compare') return `${show(literal.left)} ${literal.operator} ${show(literal.right)}`;
  return `no ${literal.atom.predicate}(${literal.atom.terms.map(show).join(', ')})`;
}
