import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { defineAtom } from '../atoms/define-atom.ts';
import { atomCategories, type PromptAtom, type PromptContext } from '../words/prompt-atom.ts';
import { selectAtoms } from './select-atoms.ts';
import { optional } from '../../kernel/optional.ts';

type Given = Partial<Omit<PromptAtom, 'id'>>;

function atom(id: string, given: Given = {}): PromptAtom {
  return defineAtom('others', { content: id, priority: 10, ...given, id });
}

/** Chosen ids, and dropped ones with their reasons. */
function select(atoms: readonly PromptAtom[], context: PromptContext = {}): unknown {
  const selection = selectAtoms(atoms, context);
  if (selection.type === 'invalid') return selection.problem;
  const dropped = Object.fromEntries(selection.dropped.map(({ atom: { id }, reason }) => [id, reason]));
  return [selection.chosen.map(({ atom: { id } }) => id).toSorted(), dropped];
}

test.each<[string, readonly PromptAtom[], PromptContext, unknown]>([
  ['what matches is in', [atom('a')], {}, [['a'], {}]],
  [
    'mandatory and blocked is out',
    [atom('a', { mandatory: true, when: { language: ['go'] } })],
    { language: ['c'] },
    [[], { a: 'no match in language' }],
  ],
  [
    'dream-only is prohibited where the mode is not even known',
    [atom('a', { when: { operational_mode: ['dream'] } })],
    {},
    [[], { a: 'for dream mode only' }],
  ],
  [
    'dream-only is in where dreaming',
    [atom('a', { when: { operational_mode: ['dream'] } })],
    { operational_mode: ['dream'] },
    [['a'], {}],
  ],
  [
    'what depends on a prohibited one is prohibited, transitively',
    [
      atom('a', { when: { operational_mode: ['dream'] } }),
      atom('b', { dependsOn: ['a'] }),
      atom('c', { dependsOn: ['b'] }),
    ],
    { operational_mode: ['active'] },
    [
      [],
      { a: 'for dream mode only', b: 'depends on a, which is prohibited', c: 'depends on b, which is prohibited' },
    ],
  ],
  [
    'what conflicts with a mandatory one is out, whatever its score',
    [atom('a', { mandatory: true, priority: 1 }), atom('b', { priority: 99, conflictsWith: ['a'] })],
    {},
    [['a'], { b: 'conflicts with the mandatory a' }],
  ],
  [
    'of two in conflict the higher score wins, said on either side',
    [atom('a', { priority: 5, conflictsWith: ['b'] }), atom('b', { priority: 9 })],
    {},
    [['b'], { a: 'conflicts with b' }],
  ],
  [
    'a tie goes to the smaller id',
    [atom('b', { exclusiveGroup: 'g' }), atom('a', { exclusiveGroup: 'g' })],
    {},
    [['a'], { b: 'a was taken for g' }],
  ],
  [
    'a dependency comes along though it does not match itself',
    [atom('a', { dependsOn: ['b'] }), atom('b', { when: { language: ['go'] } })],
    { language: ['c'] },
    [['a', 'b'], {}],
  ],
  [
    'a missing dependency drops upwards',
    [atom('a', { dependsOn: ['b'] }), atom('b', { dependsOn: ['nowhere'] })],
    {},
    [[], { a: 'its dependency b was dropped', b: 'its dependency nowhere is missing' }],
  ],
  [
    'who lost its dependency in a conflict takes nothing with it',
    [
      atom('a', { priority: 9, dependsOn: ['b'], conflictsWith: ['d'] }),
      atom('b', { priority: 1, conflictsWith: ['c'] }),
      atom('c', { priority: 5 }),
      atom('d', { priority: 3 }),
    ],
    {},
    [['c', 'd'], { a: 'its dependency b was dropped', b: 'conflicts with c' }],
  ],
  [
    'a cycle is an error that names it',
    [atom('a', { dependsOn: ['b'] }), atom('b', { dependsOn: ['a'] })],
    {},
    'atoms depend on each other in a circle: a → b → a',
  ],
  ['an id twice is an error', [atom('a'), atom('a')], {}, 'there are two atoms with the id a'],
  [
    'two mandatory ones in conflict are an error',
    [atom('a', { mandatory: true, conflictsWith: ['b'] }), atom('b', { mandatory: true })],
    {},
    'the mandatory atom a conflicts with another mandatory one',
  ],
])('[C107] %s', (_, atoms, context, expected) => {
  expect(select(atoms, context)).toEqual(expected);
});

test('requires the dependencies of a mandatory atom', () => {
  const selection = selectAtoms([atom('a', { mandatory: true, dependsOn: ['b'] }), atom('b'), atom('c')], {});
  const required =
    selection.type === 'selected' ? selection.chosen.map(({ atom: { id }, required: is }) => [id, is]) : [];
  expect(required).toEqual([
    ['a', true],
    ['b', true],
    ['c', false],
  ]);
});

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const some = fc.subarray(ids, { maxLength: 2 });
const anyAtoms: fc.Arbitrary<readonly PromptAtom[]> = fc.subarray(ids, { minLength: 1 }).chain((chosen) =>
  fc.tuple(
    ...chosen.map((id) =>
      fc
        .record({
          priority: fc.integer({ min: 0, max: 3 }),
          mandatory: fc.boolean().map((is) => is && id < 'c'),
          category: fc.constantFrom(...atomCategories),
          dependsOn: some.map((list) => list.filter((each) => each > id)),
          conflictsWith: some.map((list) => list.filter((each) => each !== id && each >= 'c')),
          group: fc.constantFrom(undefined, undefined, undefined, 'x', 'y'),
          language: fc.constantFrom(undefined, undefined, ['go'], ['c', 'go'], ['c']),
          mode: fc.constantFrom(undefined, undefined, undefined, ['dream'], ['active', 'dream']),
        })
        .map(({ group, language, mode, ...given }) =>
          atom(id, {
            ...given,
            ...(group !== undefined && !given.mandatory && { exclusiveGroup: group }),
            when: {
              ...optional({ language, operational_mode: mode }),
            },
          }),
        ),
    ),
  ),
);
const contexts = fc.constantFrom<PromptContext>(
  {},
  { language: ['go'] },
  { language: ['c'], operational_mode: ['dream'] },
  { operational_mode: ['active'] },
);

test('the order of the input does not matter', () => {
  fc.assert(
    fc.property(
      anyAtoms,
      contexts,
      fc.infiniteStream(fc.integer({ min: 0, max: 1_000 })),
      (atoms, context, random) => {
        const keys = new Map(atoms.map((each) => [each.id, random.next().value ?? 0]));
        const shuffled = atoms.toSorted((a, b) => (keys.get(a.id) ?? 0) - (keys.get(b.id) ?? 0));
        expect(selectAtoms(shuffled, context)).toEqual(selectAtoms(atoms, context));
      },
    ),
    { numRuns: 500 },
  );
});

test('a selection has its dependencies and no conflicts, and accounts for every atom', () => {
  fc.assert(
    fc.property(anyAtoms, contexts, (atoms, context) => {
      const selection = selectAtoms(atoms, context);
      if (selection.type === 'invalid') throw new Error(selection.problem);
      const chosen = selection.chosen.map((choice) => choice.atom);
      const inside = new Set(chosen.map(({ id }) => id));
      expect(chosen.filter(({ dependsOn }) => dependsOn.some((id) => !inside.has(id)))).toEqual([]);
      expect(chosen.filter(({ conflictsWith }) => conflictsWith.some((id) => inside.has(id)))).toEqual([]);
      const groups = chosen.flatMap(({ exclusiveGroup }) => exclusiveGroup ?? []);
      expect(new Set(groups).size).toBe(groups.length);
      expect(selection.chosen.length + selection.dropped.length).toBe(atoms.length);
    }),
    { numRuns: 500 },
  );
});
