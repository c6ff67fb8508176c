import { expect, test } from 'vitest';

import { shippedAtoms } from '../atoms/shipped-atoms.ts';
import { compilePrompt, createPromptCompiler, type PromptRequest } from './compile-prompt.ts';
import { atomCategories } from '../words/prompt-atom.ts';

const request: PromptRequest = {
  context: {
    operational_mode: ['active'],
    intent_verb: ['fix'],
    agent_type: ['coder'],
    language: ['go'],
    framework: [],
    world_state: ['failing_tests'],
  },
  opening: 'You are Ann.',
  tools: ['write', 'read'],
  budget: { total: 8_000, reserve: 1_000 },
};

test('the manifest explains every shipped atom, chosen or dropped', () => {
  const compiled = compilePrompt(shippedAtoms, request);
  if (compiled.type === 'invalid') throw new Error(compiled.problem);
  const { atoms } = compiled.manifest();
  expect(atoms.map(({ id }) => id).toSorted()).toEqual(shippedAtoms.map(({ id }) => id).toSorted());
  expect(atoms.filter(({ chosen }) => chosen).map(({ id }) => id)).toEqual([
    'identity/rondo',
    'identity/coder',
    'safety/limits',
    'safety/material',
    'protocol/tools',
    'protocol/replies',
    'capability/coder',
    'methodology/look-act-check',
    'methodology/fix',
    'hallucination/evidence',
    'hallucination/packages',
    'language/go',
    'world/failing_tests',
  ]);
});

test('categories are printed in their order', () => {
  const compiled = compilePrompt(shippedAtoms, request);
  const chosen = compiled.type === 'compiled' ? compiled.manifest().atoms.filter((atom) => atom.chosen) : [];
  const ranks = chosen.map(({ category }) => atomCategories.indexOf(category));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
});

test('a compile without a part of the skeleton is an error that names it', () => {
  expect(
    compilePrompt(
      shippedAtoms.filter(({ category }) => category !== 'safety'),
      request,
    ),
  ).toEqual({
    type: 'invalid',
    problem: 'missing atoms: safety. Every prompt needs them',
  });
});

test('permuted atoms and values give the same bytes and the same hash', () => {
  const permuted = { ...request, tools: ['read', 'write'] };
  const [one, other] = [
    compilePrompt(shippedAtoms, request),
    compilePrompt(shippedAtoms.toReversed(), permuted),
  ].map((compiled) => (compiled.type === 'compiled' ? { ...compiled, manifest: compiled.manifest() } : compiled));
  expect(other).toEqual(one);
  expect(one).toMatchObject({ type: 'compiled', manifest: { hash: expect.any(String) as string } });
});

test('[C109] equal contexts are compiled once, at most as many are kept as fit, and other atoms start again', () => {
  const compiler = createPromptCompiler(shippedAtoms, { capacity: 2 });
  const first = compiler.compile(request);
  expect(compiler.compile({ ...request, tools: ['read', 'write'] })).toBe(first);
  expect(compiler.counts()).toEqual({ hits: 1, misses: 1, kept: 1 });
  compiler.compile({ ...request, opening: 'b' });
  compiler.compile(request);
  compiler.compile({ ...request, opening: 'c' });
  expect(compiler.counts()).toEqual({ hits: 2, misses: 3, kept: 2 });
  expect(compiler.compile(request)).toBe(first);
  compiler.replaceAtoms(shippedAtoms.filter(({ id }) => id !== 'language/go'));
  const other = compiler.compile(request);
  expect(compiler.counts()).toEqual({ hits: 3, misses: 4, kept: 1 });
  expect(
    other.type === 'compiled' && first.type === 'compiled' && other.manifest().hash !== first.manifest().hash,
  ).toBe(true);
});

test('every shipped atom outside the constant skeleton has shorter forms', () => {
  const without = shippedAtoms.filter(
    (atom) => !atom.mandatory && (atom.min === undefined || atom.min.length >= atom.content.length),
  );
  expect(without.map(({ id }) => id)).toEqual([]);
});
