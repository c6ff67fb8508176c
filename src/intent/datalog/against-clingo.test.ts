import { init } from 'clingo-wasm';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { prepareProgram, tuplesOf } from './evaluate.ts';
import { parseProgram } from './parse-program.ts';
import {
  clauseToText,
  type Atom,
  type Clause,
  type Literal,
  type Operator,
  type Term,
  type Value,
} from './program.ts';

// Programs are stratified by construction: a predicate's rules use predicates of the same level (recursion) or
// below, and negate only those below. Safety holds because tests use variables that a positive part has bound.

const place = { file: 'generated', line: 1, column: 1 };
const predicates = [
  { name: 'e', level: 0, arity: 2 },
  { name: 'f', level: 0, arity: 1 },
  { name: 'p', level: 1, arity: 2 },
  { name: 'q', level: 1, arity: 1 },
  { name: 'r', level: 2, arity: 2 },
  { name: 's', level: 2, arity: 1 },
  { name: 't', level: 3, arity: 2 },
] as const;
type Predicate = (typeof predicates)[number];

const values: readonly Value[] = [0, 1, 2, 3, -4, '/a', '/b', '/c', '"a', '"b c'];
const value = fc.constantFrom(...values);
const term = (extra: readonly Term[] = []): fc.Arbitrary<Term> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('X', 'Y', 'Z').map((name): Term => ({ type: 'variable', name })) },
    { weight: 2, arbitrary: value.map((each): Term => ({ type: 'value', value: each })) },
    ...(extra.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...extra) }] : []),
  );
const atom = (from: readonly Predicate[], terms: fc.Arbitrary<Term>): fc.Arbitrary<Atom> =>
  fc
    .constantFrom(...from)
    .chain(({ name, arity }) =>
      fc
        .array(terms, { minLength: arity, maxLength: arity })
        .map((args): Atom => ({ predicate: name, terms: args })),
    );

const fact: fc.Arbitrary<Clause> = atom(
  predicates.filter(({ level }) => level === 0),
  value.map((each): Term => ({ type: 'value', value: each })),
).map((head) => ({ head, body: [], place }));

const rule: fc.Arbitrary<Clause> = fc
  .constantFrom(...predicates.filter(({ level }) => level > 0))
  .chain((predicate) => {
    const upTo = predicates.filter(({ level }) => level <= predicate.level);
    const below = predicates.filter(({ level }) => level < predicate.level);
    return fc.array(atom(upTo, term([{ type: 'any' }])), { minLength: 1, maxLength: 3 }).chain((positive) => {
      const bound = positive.flatMap(({ terms }) => terms.filter(({ type }) => type === 'variable'));
      const variable = fc.oneof(
        ...(bound.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...bound) }] : []),
        {
          weight: 1,
          arbitrary: value.map((each): Term => ({ type: 'value', value: each })),
        },
      );
      const number = fc.oneof(...(bound.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...bound) }] : []), {
        weight: 1,
        arbitrary: fc.constantFrom(0, 1, 2, 3).map((each): Term => ({ type: 'value', value: each })),
      });
      const order: readonly Operator[] = ['<', '<=', '>', '>='];
      const tests: fc.Arbitrary<Literal> = fc.oneof(
        atom(
          below,
          fc.oneof(
            { weight: 5, arbitrary: variable },
            { weight: 1, arbitrary: fc.constant<Term>({ type: 'any' }) },
          ),
        ).map((each): Literal => ({ type: 'absent', atom: each })),
        fc.tuple(fc.constantFrom<Operator>('=', '!='), variable, variable).map(compare),
        fc.tuple(fc.constantFrom(...order), number, number).map(compare),
        fc
          .tuple(variable, fc.boolean())
          .map(([from, swap]): Literal => compare(['=', ...(swap ? [from, fresh] : [fresh, from])] as never)),
      );
      return fc.tuple(fc.array(tests, { maxLength: 2 }), fc.boolean()).chain(([found, testsFirst]) => {
        const holds = positive.map((each): Literal => ({ type: 'holds', atom: each }));
        const binds = found.some(
          (each) => each.type === 'compare' && (each.left === fresh || each.right === fresh),
        );
        const inHead = binds ? fc.oneof(variable, fc.constant(fresh)) : variable;
        return fc
          .array(inHead, { minLength: predicate.arity, maxLength: predicate.arity })
          .map((terms): Clause => ({
            head: { predicate: predicate.name, terms },
            body: testsFirst ? [...found, ...holds] : [...holds, ...found],
            place,
          }));
      });
    });
  });

const fresh: Term = { type: 'variable', name: 'W' };

function compare([operator, left, right]: readonly [Operator, Term, Term]): Literal {
  return { type: 'compare', operator, left, right };
}

const program = fc
  .tuple(fc.array(fact, { minLength: 3, maxLength: 14 }), fc.array(rule, { minLength: 2, maxLength: 9 }))
  .map(([facts, rules]) => [...facts, ...rules]);

let run: Awaited<ReturnType<typeof init>>;
beforeAll(async () => {
  run = await init({ singleThreaded: true });
});

test('every generated program has the model that clingo gives it', () => {
  const seen = { recursive: 0, negated: 0, compared: 0, derived: 0 };
  fc.assert(
    fc.property(program, (clauses) => {
      const prepared = prepareProgram(clauses);
      if (prepared.type === 'invalid') throw new Error(JSON.stringify(prepared.problems));
      const ours = predicates.flatMap(({ name }) =>
        tuplesOf(prepared.program.base, name).map((tuple) => `${name}(${tuple.map(valueToAsp).join(',')})`),
      );
      expect(ours.toSorted()).toEqual(answerOf(clauses));
      const rules = clauses.filter(({ body }) => body.length > 0);
      if (rules.some(isRecursive)) seen.recursive += 1;
      if (rules.some(({ body }) => body.some(({ type }) => type === 'absent'))) seen.negated += 1;
      if (rules.some(({ body }) => body.some(({ type }) => type === 'compare'))) seen.compared += 1;
      if (ours.length > new Set(clauses.filter(({ body }) => body.length === 0).map(clauseToText)).size)
        seen.derived += 1;
    }),
    { numRuns: 250, seed: 5 },
  );
  // The generator must really produce what the test claims to compare.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
}, 30_000);

test('the printed form of a generated program reads back as the same program', () => {
  fc.assert(
    fc.property(program, (clauses) => {
      const parsed = parseProgram(clauses.map(clauseToText).join('\n'), 'generated');
      expect(parsed.type === 'parsed' ? parsed.clauses.map(clauseToText) : parsed).toEqual(
        clauses.map(clauseToText),
      );
    }),
  );
});

test('the order of clauses does not change the model', () => {
  const model = (clauses: readonly Clause[]): unknown => {
    const prepared = prepareProgram(clauses);
    if (prepared.type === 'invalid') throw new Error(JSON.stringify(prepared.problems));
    return predicates.map(({ name }) => tuplesOf(prepared.program.base, name).map(String).toSorted());
  };
  fc.assert(
    fc.property(
      program.chain((clauses) =>
        fc.tuple(
          fc.constant(clauses),
          fc.shuffledSubarray(clauses, { minLength: clauses.length, maxLength: clauses.length }),
        ),
      ),
      ([clauses, shuffled]) => {
        expect(model(shuffled)).toEqual(model(clauses));
      },
    ),
  );
});

function isRecursive({ head, body }: Clause): boolean {
  const level = predicates.find(({ name }) => name === head.predicate)?.level;
  return body.some(
    (literal) =>
      literal.type === 'holds' && predicates.find(({ name }) => name === literal.atom.predicate)?.level === level,
  );
}

function answerOf(clauses: readonly Clause[]): readonly string[] {
  const numbers = values.filter((each) => typeof each === 'number').map((each) => `number(${each}).`);
  const lines = predicates.map(({ name, arity }) => `#show ${name}/${arity}.`);
  const result = run([...numbers, ...clauses.map(clauseToAsp), ...lines].join('\n'), 0);
  if (result.Result === 'ERROR') throw new Error(result.Error);
  expect(result.Models.Number).toBe(1);
  return (result.Call[0]?.Witnesses[0]?.Value ?? []).toSorted();
}

function clauseToAsp({ head, body }: Clause): string {
  return body.length === 0
    ? `${atomToAsp(head)}.`
    : `${atomToAsp(head)} :- ${body.flatMap(literalToAsp).join(', ')}.`;
}

function literalToAsp(literal: Literal): readonly string[] {
  if (literal.type === 'holds') return [atomToAsp(literal.atom)];
  if (literal.type === 'absent') return [`not ${atomToAsp(literal.atom)}`];
  const sides = [termToAsp(literal.left), termToAsp(literal.right)];
  const comparison = `${sides[0]} ${literal.operator} ${sides[1]}`;
  // ASP orders all terms; this implementation orders numbers only.
  if (literal.operator === '=' || literal.operator === '!=') return [comparison];
  return [comparison, ...sides.map((side) => `number(${side})`)];
}

function atomToAsp({ predicate, terms }: Atom): string {
  return `${predicate}(${terms.map(termToAsp).join(',')})`;
}

function termToAsp(each: Term): string {
  if (each.type === 'any') return '_';
  return each.type === 'variable' ? each.name : valueToAsp(each.value);
}

function valueToAsp(each: Value): string {
  if (typeof each === 'number') return String(each);
  return each.startsWith('/') ? `n_${each.slice(1)}` : JSON.stringify(each.slice(1));
}
