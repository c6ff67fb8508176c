import { expect, test } from 'vitest';

import { evaluateWith, prepareProgram, tuplesOf, type Program } from './evaluate.ts';
import { explainFact, proofToLines } from './explain.ts';
import { parseProgram } from './parse-program.ts';
import { placeToText, type ProgramProblem } from './program.ts';

function problemsOf(text: string): string[] {
  const parsed = parseProgram(text, 'r.mg');
  const result = parsed.type === 'parsed' ? prepareProgram(parsed.clauses) : parsed;
  if (result.type !== 'invalid') return [];
  return result.problems.map((problem: ProgramProblem) => `${placeToText(problem)} ${problem.message}`);
}

function prepare(text: string): Program {
  const parsed = parseProgram(text, 'r.mg');
  if (parsed.type === 'invalid') throw new Error(JSON.stringify(parsed));
  const prepared = prepareProgram(parsed.clauses);
  if (prepared.type === 'invalid') throw new Error(JSON.stringify(prepared));
  return prepared.program;
}

test.each([
  ['p(X) :- q(X)', ['r.mg:1:13 expected , or a full stop, found the end of the file']],
  ['p(/a).\n  q(/a', ['r.mg:2:7 expected , or ), found the end of the file']],
  [
    'p(/a) q(/b).\nr(%).\ns(1).',
    ['r.mg:1:7 expected :- or a full stop, found q', 'r.mg:2:3 expected a value, a variable or _, found %'],
  ],
  ['P(/a).', ['r.mg:1:1 expected the name of a predicate, found P']],
  ['p(X) :- q(X), X ~ 3.', ['r.mg:1:17 expected a comparison, found ~']],
  ['p(X) :- q(Y).', ['r.mg:1:1 the variable X of the head is bound by no positive part of the body']],
  ['p(X).', ['r.mg:1:1 the variable X of the head is bound by no positive part of the body']],
  ['p(_) :- q(_).', ['r.mg:1:1 _ cannot stand in the head']],
  ['p(X) :- q(X), !r(X, Y).', ['r.mg:1:1 the variable Y of !r is bound by no positive part of the body']],
  ['p(X) :- q(X), Y < 3.', ['r.mg:1:1 the variable Y of a comparison is bound by no positive part of the body']],
  ['p(X) :- q(X), X < "a".', ['r.mg:1:1 < compares numbers only']],
  ['p(X) :- q(X), X = _.', ['r.mg:1:1 _ cannot stand in a comparison']],
  ['q(1).\np(X) :- q(X, X).', ['r.mg:2:1 q has 2 arguments here and 1 at r.mg:1:1']],
  ['d(1).\np(X) :- d(X), !q(X).\nq(X) :- p(X).', ['r.mg:2:1 p depends on its own negation: p → q → p']],
  ['d(1).\np(X) :- d(X), !p(X).', ['r.mg:2:1 p depends on its own negation: p → p']],
  ['# all of it\np(X, Y) :- q(X), Y = X, X != 3, !r(X, _).', []],
])('%j is read or refused with its place', (text, problems) => {
  expect(problemsOf(text)).toEqual(problems);
});

test('recursion, negation, comparison and binding work together', () => {
  const { base } = prepare(`
    edge(1, 2). edge(2, 3). edge(3, 4).
    reach(X, Y) :- edge(X, Y).
    reach(X, Z) :- reach(X, Y), edge(Y, Z).
    far(X, Y) :- reach(X, Y), !edge(X, Y), X < Y.
    named(X, "far away") :- far(X, _).
    copy(A) :- A = B, named(B, _).`);
  expect(tuplesOf(base, 'far')).toEqual([
    [1, 3],
    [2, 4],
    [1, 4],
  ]);
  expect(tuplesOf(base, 'named')).toEqual([
    [1, '"far away'],
    [2, '"far away'],
  ]);
  expect(tuplesOf(base, 'copy')).toEqual([[1], [2]]);
});

test('a name, a string and a number that print alike stay apart', () => {
  const { base } = prepare('v(1). v("1"). v(/1). same(X, Y) :- v(X), v(Y), X = Y.');
  expect(tuplesOf(base, 'same')).toHaveLength(3);
});

test('further facts are worked out without touching the program', () => {
  const program = prepare('able(/fix). may(X) :- able(X), asked(X). idle(X) :- able(X), !asked(X).');
  const turn = evaluateWith(program, [{ predicate: 'asked', values: ['/fix'] }]);
  expect([tuplesOf(turn, 'may'), tuplesOf(turn, 'idle')]).toEqual([[['/fix']], []]);
  expect([tuplesOf(program.base, 'may'), tuplesOf(program.base, 'idle')]).toEqual([[], [['/fix']]]);
  const other = evaluateWith(program, [{ predicate: 'able', values: ['/add'] }]);
  expect([tuplesOf(other, 'able'), tuplesOf(program.base, 'able')]).toEqual([[['/fix'], ['/add']], [['/fix']]]);
});

test('a derived fact is explained down to what was given', () => {
  const program = prepare(`write_tool(/edit).
denied(T) :- write_tool(T), read_only(), !lifted(T).
lifted(T) :- lift(T, N), N > 3.`);
  const turn = evaluateWith(program, [{ predicate: 'read_only', values: [] }]);
  const proof = explainFact(turn, { predicate: 'denied', values: ['/edit'] });
  expect(proof === undefined ? [] : proofToLines(proof)).toEqual([
    'denied(/edit)  by r.mg:2:1: denied(T) :- write_tool(T), read_only(), !lifted(T).',
    '  write_tool(/edit)',
    '  read_only()',
    '  no lifted(/edit)',
  ]);
  expect(explainFact(turn, { predicate: 'denied', values: ['/read'] })).toBeUndefined();
});

test('a recursive fact has a proof that ends', () => {
  const { base } = prepare('e(1, 2). e(2, 1). r(X, Y) :- e(X, Y). r(X, Z) :- r(X, _), r(_, Z).');
  expect(
    proofToLines(explainFact(base, { predicate: 'r', values: [1, 1] }) ?? { type: 'given', fact: '' }),
  ).toEqual([
    'r(1, 1)  by r.mg:1:39: r(X, Z) :- r(X, _), r(_, Z).',
    '  r(1, 2)  by r.mg:1:19: r(X, Y) :- e(X, Y).',
    '    e(1, 2)',
    '  r(2, 1)  by r.mg:1:19: r(X, Y) :- e(X, Y).',
    '    e(2, 1)',
  ]);
});
