/**
 * Semi-naive evaluation, stratum by stratum.
 *
 * 1. The result is the program's single perfect model. It doesn't depend on the order of clauses or facts.
 * 2. `base` holds the conclusions of the program alone. Further facts only recompute what depends on them. `base`
 *    never changes.
 * 3. The first derivation of every derived fact is kept, so that each can be explained.
 */
import { checkProgram } from './check-program.ts';
import { compileClause, type ClauseArgument, type CompiledClause, type ClauseStep } from './compile-clause.ts';
import type { Clause, Fact, ProgramProblem, Value } from './program.ts';
import { createRelation, tupleKey, type Relation } from './relation.ts';

export interface Program {
  /** The rules, in evaluation order. */
  readonly strata: readonly (readonly CompiledClause[])[];
  /** The facts of clauses without a body, by predicate. */
  readonly given: Given;
  readonly base: FactDatabase;
}

type Given = ReadonlyMap<string, readonly (readonly Value[])[]>;

export interface FactDatabase {
  readonly relations: ReadonlyMap<string, Relation>;
  readonly derivations: ReadonlyMap<string, ReadonlyMap<string, Derivation>>;
}

export interface Derivation {
  readonly by: CompiledClause;
  readonly slots: readonly Value[];
}

type PreparedProgram =
  | { readonly type: 'prepared'; readonly program: Program }
  | { readonly type: 'invalid'; readonly problems: readonly ProgramProblem[] };

export function prepareProgram(clauses: readonly Clause[]): PreparedProgram {
  const checked = checkProgram(clauses);
  if (checked.type === 'invalid') return checked;
  const strata = checked.strata.map((stratum) => stratum.filter(({ body }) => body.length > 0).map(compileClause));
  const given = factsByPredicate(clauses);
  return { type: 'prepared', program: { strata, given, base: evaluate({ strata, given }, []) } };
}

/** Evaluates the program together with these facts. */
export function evaluateWith(program: Program, facts: readonly Fact[]): FactDatabase {
  return evaluate(program, facts, program.base);
}

export function tuplesOf(database: FactDatabase, predicate: string): readonly (readonly Value[])[] {
  return database.relations.get(predicate)?.tuples ?? [];
}

function factsByPredicate(clauses: readonly Clause[]): Given {
  const given = new Map<string, (readonly Value[])[]>();
  for (const { head, body } of clauses) {
    if (body.length > 0) continue;
    const values = head.terms.map((term) => (term.type === 'value' ? term.value : ''));
    const tuples = given.get(head.predicate);
    if (tuples === undefined) given.set(head.predicate, [values]);
    else tuples.push(values);
  }
  return given;
}

function evaluate(
  { strata, given }: Pick<Program, 'strata' | 'given'>,
  further: readonly Fact[],
  base?: FactDatabase,
): FactDatabase {
  const affected = base === undefined ? undefined : dependants(strata, further);
  const relations = new Map<string, Relation>();
  const derivations = new Map<string, Map<string, Derivation>>();
  if (base !== undefined && affected !== undefined) {
    for (const [predicate, relation] of base.relations) {
      if (!affected.has(predicate)) relations.set(predicate, relation);
    }
  }
  const relationOf = (predicate: string): Relation => {
    const relation = relations.get(predicate);
    if (relation !== undefined) return relation;
    const made = createRelation();
    relations.set(predicate, made);
    return made;
  };
  for (const [predicate, tuples] of given) {
    if (affected !== undefined && !affected.has(predicate)) continue;
    const relation = relationOf(predicate);
    for (const tuple of tuples) relation.add(tuple);
  }
  for (const { predicate, values } of further) relationOf(predicate).add(values);
  for (const stratum of strata) {
    const rules =
      affected === undefined ? stratum : stratum.filter(({ clause }) => affected.has(clause.head.predicate));
    if (rules.length > 0) evaluateStratum(rules, relationOf, derivations);
  }
  const inherited =
    base === undefined ? [] : [...base.derivations].filter(([name]) => affected?.has(name) !== true);
  return { relations, derivations: new Map([...inherited, ...derivations]) };
}

function dependants(strata: Program['strata'], facts: readonly Fact[]): ReadonlySet<string> {
  const predicates = new Set(facts.map(({ predicate }) => predicate));
  for (let before = -1; before !== predicates.size;) {
    before = predicates.size;
    for (const { clause, steps } of strata.flat()) {
      if (steps.some((step) => 'predicate' in step && predicates.has(step.predicate)))
        predicates.add(clause.head.predicate);
    }
  }
  return predicates;
}

interface Window {
  readonly from: number;
  readonly to: number;
}

type RelationOf = (predicate: string) => Relation;

function evaluateStratum(
  rules: readonly CompiledClause[],
  relationOf: RelationOf,
  derivations: Map<string, Map<string, Derivation>>,
): void {
  const heads = new Set(rules.map(({ clause }) => clause.head.predicate));
  const sizes = (): Map<string, number> =>
    new Map([...heads].map((name) => [name, relationOf(name).tuples.length]));
  const conclude = (by: CompiledClause, slots: readonly (Value | undefined)[]): void => {
    const tuple = by.head.map((argument) => valueOf(argument, slots));
    const { predicate } = by.clause.head;
    if (!relationOf(predicate).add(tuple)) return;
    const reasons = derivations.get(predicate) ?? new Map<string, Derivation>();
    derivations.set(predicate, reasons);
    reasons.set(tupleKey(tuple), { by, slots: slots.map((value) => value ?? '') });
  };

  for (const rule of rules) run(rule, relationOf, () => undefined, conclude);
  let old = new Map([...heads].map((name) => [name, 0]));
  let now = sizes();
  while ([...heads].some((name) => old.get(name) !== now.get(name))) {
    for (const rule of rules) {
      for (const [index, step] of rule.steps.entries()) {
        if (step.type !== 'scan' || !heads.has(step.predicate)) continue;
        const window = (at: number, predicate: string): Window | undefined => {
          if (!heads.has(predicate)) return undefined;
          const from = old.get(predicate) ?? 0;
          const to = now.get(predicate) ?? 0;
          if (at === index) return { from, to };
          return { from: 0, to: at < index ? from : to };
        };
        run(rule, relationOf, window, conclude);
      }
    }
    old = now;
    now = sizes();
  }
}

function run(
  rule: CompiledClause,
  relationOf: RelationOf,
  window: (step: number, predicate: string) => Window | undefined,
  conclude: (rule: CompiledClause, slots: readonly (Value | undefined)[]) => void,
): void {
  const slots: (Value | undefined)[] = Array.from({ length: rule.variables.length });

  const visit = (index: number): void => {
    const step = rule.steps[index];
    if (step === undefined) conclude(rule, slots);
    else if (step.type === 'scan') scan(step, index);
    else if (step.type === 'absent') {
      if (!isPresent(step, relationOf(step.predicate), slots)) visit(index + 1);
    } else if (step.type === 'compare') {
      if (compares(step.operator, valueOf(step.left, slots), valueOf(step.right, slots))) visit(index + 1);
    } else {
      slots[step.slot] = valueOf(step.from, slots);
      visit(index + 1);
      slots[step.slot] = undefined;
    }
  };
  const scan = (step: Extract<ClauseStep, { type: 'scan' }>, index: number): void => {
    const relation = relationOf(step.predicate);
    const { from, to } = window(index, step.predicate) ?? { from: 0, to: relation.tuples.length };
    const key = step.arguments[step.key];
    if (key === undefined) {
      for (let place = from; place < to; place += 1) match(step, relation.tuples[place] ?? [], index);
      return;
    }
    const places = relation.places(step.key, valueOf(key, slots));
    // Iterates by length: the list may grow while a recursive rule adds to its own predicate.
    for (let at = 0, count = places.length; at < count; at += 1) {
      const place = places[at] ?? 0;
      if (place >= from && place < to) match(step, relation.tuples[place] ?? [], index);
    }
  };
  const match = (step: Extract<ClauseStep, { type: 'scan' }>, tuple: readonly Value[], index: number): void => {
    const filled: number[] = [];
    const fits = step.arguments.every((argument, column) => {
      const value = tuple[column] ?? '';
      if (argument.type === 'any') return true;
      if (argument.type === 'value') return argument.value === value;
      const current = slots[argument.slot];
      if (current !== undefined) return current === value;
      slots[argument.slot] = value;
      filled.push(argument.slot);
      return true;
    });
    if (fits) visit(index + 1);
    for (const slot of filled) slots[slot] = undefined;
  };
  visit(0);
}

function isPresent(
  step: Extract<ClauseStep, { type: 'absent' }>,
  relation: Relation,
  slots: readonly (Value | undefined)[],
): boolean {
  if (step.arguments.every(({ type }) => type !== 'any')) {
    return relation.has(step.arguments.map((argument) => valueOf(argument, slots)));
  }
  return relation.tuples.some((tuple) =>
    step.arguments.every(
      (argument, column) => argument.type === 'any' || valueOf(argument, slots) === tuple[column],
    ),
  );
}

function valueOf(argument: ClauseArgument, slots: readonly (Value | undefined)[]): Value {
  if (argument.type === 'value') return argument.value;
  return argument.type === 'slot' ? (slots[argument.slot] ?? '') : '';
}

/** Order comparisons apply to numbers only. For anything else they are false. */
function compares(
  operator: Extract<ClauseStep, { type: 'compare' }>['operator'],
  left: Value,
  right: Value,
): boolean {
  if (operator === '=') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
