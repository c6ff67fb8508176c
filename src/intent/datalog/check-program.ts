/**
 * Checks that a program always has exactly one answer.
 *
 * 1. Safety: a positive part of the body, or `=` with a bound term, binds every variable of a head, a negation or a
 *    comparison. `_` may appear only in lookups.
 * 2. A predicate has one number of arguments. An order comparison contains only numeric constants.
 * 3. Stratification: no predicate depends on its own negation. The strata are returned in evaluation order.
 */
import { placeToText, type Atom, type Clause, type Literal, type ProgramProblem, type Term } from './program.ts';

type CheckedProgram =
  | { readonly type: 'checked'; readonly strata: readonly (readonly Clause[])[] }
  | { readonly type: 'invalid'; readonly problems: readonly ProgramProblem[] };

export function checkProgram(clauses: readonly Clause[]): CheckedProgram {
  const problems = [...checkArity(clauses), ...clauses.flatMap(checkSafety)];
  if (problems.length > 0) return { type: 'invalid', problems };
  return stratify(clauses);
}

function atomsOf({ head, body }: Clause): readonly Atom[] {
  return [head, ...body.flatMap((literal) => (literal.type === 'compare' ? [] : [literal.atom]))];
}

function checkArity(clauses: readonly Clause[]): ProgramProblem[] {
  const first = new Map<string, { readonly count: number; readonly clause: Clause }>();
  return clauses.flatMap((clause) =>
    atomsOf(clause).flatMap(({ predicate, terms }): ProgramProblem[] => {
      const firstUse = first.get(predicate);
      if (firstUse === undefined) first.set(predicate, { count: terms.length, clause });
      if (firstUse === undefined || firstUse.count === terms.length) return [];
      const message = `${predicate} has ${terms.length} arguments here and ${firstUse.count} at ${placeToText(firstUse.clause.place)}`;
      return [{ ...clause.place, message }];
    }),
  );
}

function checkSafety(clause: Clause): ProgramProblem[] {
  if (clause.body.length === 0 && clause.head.terms.every(({ type }) => type === 'value')) return [];
  const bound = boundVariables(clause.body);
  const problem = (message: string): ProgramProblem => ({ ...clause.place, message });
  const unbound = (terms: readonly Term[], where: string): ProgramProblem[] =>
    terms.flatMap((term) =>
      term.type === 'variable' && !bound.has(term.name)
        ? [problem(`the variable ${term.name} of ${where} is bound by no positive part of the body`)]
        : [],
    );
  const blank = (terms: readonly Term[], where: string): ProgramProblem[] =>
    terms.some(({ type }) => type === 'any') ? [problem(`_ cannot stand in ${where}`)] : [];
  return [
    ...unbound(clause.head.terms, 'the head'),
    ...blank(clause.head.terms, 'the head'),
    ...clause.body.flatMap((literal) => {
      if (literal.type === 'holds') return [];
      if (literal.type === 'absent') return unbound(literal.atom.terms, `!${literal.atom.predicate}`);
      const sides = [literal.left, literal.right];
      const isOrder = literal.operator !== '=' && literal.operator !== '!=';
      const isText = (term: Term): boolean => term.type === 'value' && typeof term.value !== 'number';
      return [
        ...unbound(sides, 'a comparison'),
        ...blank(sides, 'a comparison'),
        ...(isOrder && sides.some(isText) ? [problem(`${literal.operator} compares numbers only`)] : []),
      ];
    }),
  ];
}

function boundVariables(body: readonly Literal[]): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const literal of body) {
    if (literal.type !== 'holds') continue;
    for (const term of literal.atom.terms) if (term.type === 'variable') bound.add(term.name);
  }
  const isKnown = (term: Term): boolean =>
    term.type === 'value' || (term.type === 'variable' && bound.has(term.name));
  for (let before = -1; before !== bound.size;) {
    before = bound.size;
    for (const literal of body) {
      if (literal.type !== 'compare' || literal.operator !== '=') continue;
      const { left, right } = literal;
      if (left.type === 'variable' && isKnown(right)) bound.add(left.name);
      if (right.type === 'variable' && isKnown(left)) bound.add(right.name);
    }
  }
  return bound;
}

function stratify(clauses: readonly Clause[]): CheckedProgram {
  const level = new Map<string, number>();
  for (const clause of clauses) for (const { predicate } of atomsOf(clause)) level.set(predicate, 0);
  for (let changed = true; changed;) {
    changed = false;
    for (const clause of clauses) {
      const { predicate } = clause.head;
      for (const literal of clause.body) {
        if (literal.type === 'compare') continue;
        const needed = (level.get(literal.atom.predicate) ?? 0) + (literal.type === 'absent' ? 1 : 0);
        if (needed <= (level.get(predicate) ?? 0)) continue;
        if (needed >= level.size) return { type: 'invalid', problems: [negativeCycle(clauses, clause)] };
        level.set(predicate, needed);
        changed = true;
      }
    }
  }
  const strata: Clause[][] = [];
  for (const clause of clauses) (strata[level.get(clause.head.predicate) ?? 0] ??= []).push(clause);
  return { type: 'checked', strata: Array.from(strata, (stratum) => stratum ?? []) };
}

/** The levels grew without bound, so some negation lies on a cycle. Finds one and names its predicates. */
function negativeCycle(clauses: readonly Clause[], fallback: Clause): ProgramProblem {
  // Starts with the last clause: the fault is usually in what was added to a valid program.
  for (const clause of clauses.toReversed()) {
    for (const literal of clause.body) {
      if (literal.type !== 'absent') continue;
      const path = pathBetween(clauses, literal.atom.predicate, clause.head.predicate);
      if (path === undefined) continue;
      const cycle = [clause.head.predicate, ...path].join(' → ');
      return { ...clause.place, message: `${clause.head.predicate} depends on its own negation: ${cycle}` };
    }
  }
  return { ...fallback.place, message: `${fallback.head.predicate} depends on its own negation` };
}

function pathBetween(clauses: readonly Clause[], from: string, to: string): readonly string[] | undefined {
  const waiting: (readonly string[])[] = [[from]];
  const seen = new Set([from]);
  for (const path of waiting) {
    const last = path.at(-1);
    if (last === to) return path;
    for (const clause of clauses) {
      if (clause.head.predicate !== last) continue;
      for (const { predicate } of atomsOf(clause).slice(1)) {
        if (seen.has(predicate)) continue;
        seen.add(predicate);
        waiting.push([...path, predicate]);
      }
    }
  }
  return undefined;
}
