import path from 'node:path';

import { expect, test } from 'vitest';

import { knownFrameworks, knownLanguages } from '../atoms/language-atoms.ts';
import { readProjectFacts, type FactFiles } from './project-facts.ts';

function filesOf(texts: Readonly<Record<string, string>>): FactFiles {
  return {
    names: async () => [...new Set(Object.keys(texts).map((name) => name.split('/')[0] ?? ''))],
    text: async (file) => texts[path.relative('/p', file).replaceAll(path.sep, '/')],
  };
}

test.each<[string, Record<string, string>, readonly string[], readonly string[]]>([
  [
    'typescript with react',
    { 'package.json': '{"dependencies":{"react":"1"},"devDependencies":{"vitest":"1"}}', 'tsconfig.json': '' },
    ['typescript'],
    ['react', 'vitest'],
  ],
  [
    'typescript by its package alone',
    { 'package.json': '{"devDependencies":{"typescript":"7"}}' },
    ['typescript'],
    [],
  ],
  ['plain javascript', { 'package.json': '{"dependencies":{"express":"5"}}' }, ['javascript'], ['express']],
  ['a broken manifest', { 'package.json': '{' }, ['javascript'], []],
  ['python', { 'pyproject.toml': 'dependencies = ["fastapi>=1", "pytest-cov"]' }, ['python'], ['fastapi']],
  ['several', { 'go.mod': '', 'Cargo.toml': '', Gemfile: "gem 'rails'" }, ['go', 'rust', 'ruby'], ['rails']],
  ['java', { 'pom.xml': '<artifactId>spring-boot</artifactId>' }, ['java'], ['spring']],
  ['others', { 'app.csproj': '', 'CMakeLists.txt': '', 'composer.json': '{}' }, ['php', 'csharp', 'cpp'], []],
  ['nothing', {}, [], []],
])('%s', async (_, texts, languages, frameworks) => {
  expect(await readProjectFacts('/p', filesOf(texts))).toEqual({ languages, frameworks, worldStates: [] });
});

test.each([
  ['.pytest_cache/v/cache/lastfailed', '{"tests/a.py::b": true}'],
  ['node_modules/.vite/vitest/results.json', '{"results":[["a",{"duration":1,"failed":true}]]}'],
  ['test-results/.last-run.json', '{"status": "failed"}'],
])('what %s left behind says that tests fail', async (file, text) => {
  expect((await readProjectFacts('/p', filesOf({ [file]: text }))).worldStates).toEqual(['failing_tests']);
});

test('a folder that is not there has no facts', async () => {
  expect(await readProjectFacts('/nowhere/at/all')).toEqual({ languages: [], frameworks: [], worldStates: [] });
});

test('every language that can be found has an atom', () => {
  expect(knownLanguages).toEqual(
    expect.arrayContaining([
      'typescript',
      'javascript',
      'python',
      'go',
      'rust',
      'java',
      'ruby',
      'php',
      'csharp',
      'cpp',
    ]),
  );
  expect(knownFrameworks).toEqual(
    expect.arrayContaining([
      'react',
      'next',
      'vue',
      'svelte',
      'express',
      'nest',
      'vitest',
      'jest',
      'django',
      'flask',
      'fastapi',
      'pytest',
      'rails',
      'spring',
    ]),
  );
});
