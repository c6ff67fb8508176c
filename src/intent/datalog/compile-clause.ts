/** A compiled clause: variables are slots, and every test runs as soon as its slots are filled. */
import type { Atom, Clause, Literal, Operator, Term, Value } from './program.ts';

export type ClauseArgument =
  | { readonly type: 'value'; readonly value: Value }
  | { readonly type: 'slot'; readonly slot: number }
  | { readonly type: 'any' };

export type ClauseStep =
  | {
      readonly type: 'scan';
      readonly predicate: string;
      readonly arguments: readonly ClauseArgument[];
      readonly key: number;
    }
  | { readonly type: 'absent'; readonly predicate: string; readonly arguments: readonly ClauseArgument[] }
  | { readonly type: 'bind'; readonly slot: number; readonly from: ClauseArgument }
  | {
      readonly type: 'compare';
      readonly operator: Operator;
      readonly left: ClauseArgument;
      readonly right: ClauseArgument;
    };

export interface CompiledClause {
  readonly clause: Clause;
  readonly head: readonly ClauseArgument[];
  readonly steps: readonly ClauseStep[];
  /** Names of the slots. */
  readonly variables: readonly string[];
}

export function compileClause(clause: Clause): CompiledClause {
  const variables: string[] = [];
  const bound = new Set<string>();
  const steps: ClauseStep[] = [];
  let waiting = [...clause.body];

  const argument = (term: Term): ClauseArgument => {
    if (term.type !== 'variable') return term;
    const place = variables.indexOf(term.name);
    return { type: 'slot', slot: place === -1 ? variables.push(term.name) - 1 : place };
  };
  const isBound = (term: Term): boolean => term.type !== 'variable' || bound.has(term.name);
  const bindAll = (terms: readonly Term[]): void => {
    for (const term of terms) if (term.type === 'variable') bound.add(term.name);
  };
  const ready = (literal: Literal): ClauseStep | undefined => {
    if (literal.type === 'holds') return undefined;
    if (literal.type === 'absent') {
      const { predicate, terms } = literal.atom;
      return terms.every(isBound) ? { type: 'absent', predicate, arguments: terms.map(argument) } : undefined;
    }
    const { operator, left, right } = literal;
    if (isBound(left) && isBound(right))
      return { type: 'compare', operator, left: argument(left), right: argument(right) };
    if (operator !== '=' || (!isBound(left) && !isBound(right))) return undefined;
    const [free, from] = isBound(right) ? [left, right] : [right, left];
    const slot = argument(free);
    bindAll([free]);
    return slot.type === 'slot' ? { type: 'bind', slot: slot.slot, from: argument(from) } : undefined;
  };
  const takeReady = (): void => {
    for (let before = -1; before !== waiting.length;) {
      before = waiting.length;
      waiting = waiting.filter((literal) => {
        const step = ready(literal);
        if (step !== undefined) steps.push(step);
        return step === undefined;
      });
    }
  };
  const scanOf = ({ predicate, terms }: Atom): ClauseStep => {
    const key = terms.findIndex((term) => term.type !== 'any' && isBound(term));
    const step: ClauseStep = { type: 'scan', predicate, arguments: terms.map(argument), key };
    bindAll(terms);
    return step;
  };

  takeReady();
  for (const literal of clause.body) {
    if (literal.type !== 'holds') continue;
    waiting = waiting.filter((each) => each !== literal);
    steps.push(scanOf(literal.atom));
    takeReady();
  }
  return { clause, head: clause.head.terms.map(argument), steps, variables };
}
