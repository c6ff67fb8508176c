import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { estimateTokens } from '../../kernel/content.ts';
import { defineAtom } from '../atoms/define-atom.ts';
import { headroom, planBudget } from './budget.ts';
import { compilePrompt } from './compile-prompt.ts';
import { atomCategories, formOf, type AtomCategory, type PromptAtom } from '../words/prompt-atom.ts';
import type { AtomChoice } from './select-atoms.ts';

function choice(
  id: string,
  given: Partial<PromptAtom> & { readonly category?: AtomCategory } = {},
  required = false,
): AtomChoice {
  const { category = 'others', ...rest } = given;
  const atom = defineAtom(category, { content: id, priority: 10, ...rest, id });
  return { atom, score: atom.priority, reason: required ? 'mandatory' : 'matched', required };
}

function forms(choices: readonly AtomChoice[], total: number): unknown {
  const plan = planBudget(choices, { total, reserve: 0 });
  return plan.type === 'planned'
    ? Object.fromEntries(plan.placed.map(({ atom, form }) => [atom.id, form]))
    : plan.problem;
}

test('nothing left over is an error that says the figures', () => {
  expect(forms([], headroom)).toBe(
    'a total of 500 tokens less 0 reserved and 500 headroom leaves nothing for a prompt',
  );
});

test('a category has its share, and each atom the largest size that fits it', () => {
  const sized = { content: 'x'.repeat(1_200), concise: 'x'.repeat(400), min: 'x'.repeat(40) };
  expect(forms([choice('a', { ...sized, category: 'language' })], 100_000)).toEqual({ a: 'full' });
  expect(forms([choice('a', { ...sized, category: 'language' })], headroom + 1_500)).toEqual({ a: 'concise' });
  expect(forms([choice('a', { ...sized, category: 'language' })], headroom + 200)).toEqual({ a: 'min' });
  expect(forms([choice('a', { ...sized, category: 'language' })], headroom + 5)).toEqual({});
});

test("atoms that didn't fit their category fill the remaining budget by score", () => {
  const big = { content: 'x'.repeat(2_000), category: 'others' } as const;
  expect(
    forms([choice('a', { ...big, priority: 1 }), choice('b', { ...big, priority: 2 })], headroom + 700),
  ).toEqual({ b: 'full' });
});

test('required parts are printed in full and their overrun is reported', () => {
  const plan = planBudget([choice('a', { content: 'x'.repeat(4_000), min: 'x' }, true), choice('b')], {
    total: headroom + 100,
    reserve: 0,
  });
  expect(plan).toMatchObject({
    type: 'planned',
    over: 901,
    placed: [{ form: 'full', tokens: 1_001 }],
    unplaced: [{ reason: 'does not fit the budget' }],
  });
});

test('drops atoms that depend on a dropped one', () => {
  const plan = planBudget([choice('a', { dependsOn: ['b'] }), choice('b', { content: 'x'.repeat(9_000) })], {
    total: headroom + 300,
    reserve: 0,
  });
  expect(plan.type === 'planned' ? plan.unplaced.map(({ reason }) => reason) : []).toEqual([
    'does not fit the budget',
    'its dependency b does not fit the budget',
  ]);
});

const text = fc.integer({ min: 1, max: 1_500 }).map((length) => 'x'.repeat(length));
const pool: fc.Arbitrary<readonly PromptAtom[]> = fc
  .array(
    fc.record({
      category: fc.constantFrom(...atomCategories),
      priority: fc.integer({ min: 0, max: 99 }),
      mandatory: fc.constantFrom(false, false, true),
      content: text,
      concise: text,
      min: text,
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((atoms) => [
    ...atoms.map(({ category, content, concise, min, ...rest }, index) =>
      defineAtom(category, {
        ...rest,
        id: `a${index}`,
        content: `${content}!a${index}f`,
        concise: `${concise.slice(0, content.length)}!a${index}c`,
        min: `${min.slice(0, concise.length)}!a${index}m`,
      }),
    ),
    ...(['identity', 'safety', 'protocol', 'methodology'] as const).map((category) =>
      defineAtom(category, { id: category, priority: 100, mandatory: true, content: category }),
    ),
  ]);

test('[C108] the printed size stays within the budget unless the required part alone exceeds it', () => {
  fc.assert(
    fc.property(pool, fc.integer({ min: 600, max: 9_000 }), (atoms, total) => {
      const compiled = compilePrompt(atoms, {
        context: {},
        opening: 'I am Ann.',
        tools: ['read'],
        budget: { total, reserve: 0 },
      });
      if (compiled.type === 'invalid') throw new Error(compiled.problem);
      const { prefix, block } = compiled;
      const manifest = compiled.manifest();
      const size = estimateTokens(`${prefix}\n\n${block}`);
      expect(size).toBeLessThanOrEqual(manifest.budget + manifest.over);
      expect(manifest.tokens).toBeGreaterThanOrEqual(size);
    }),
    { numRuns: 300 },
  );
});

test('the form in the manifest is the form that is printed', () => {
  fc.assert(
    fc.property(pool, fc.integer({ min: 600, max: 9_000 }), (atoms, total) => {
      const compiled = compilePrompt(atoms, {
        context: {},
        opening: '',
        tools: [],
        budget: { total, reserve: 0 },
      });
      if (compiled.type === 'invalid') throw new Error(compiled.problem);
      const printed = `${compiled.prefix}\n\n${compiled.block}`.split('\n\n');
      for (const atom of atoms) {
        const entry = compiled.manifest().atoms.find(({ id }) => id === atom.id);
        const sizes = (['full', 'concise', 'min'] as const).filter((form) => printed.includes(formOf(atom, form)));
        expect(entry?.chosen === true ? sizes.includes(entry.form ?? 'full') : sizes.length === 0).toBe(true);
        expect(atom.mandatory ? entry?.form : 'full').toBe('full');
      }
    }),
    { numRuns: 300 },
  );
});
