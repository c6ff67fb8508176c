import { expect, test } from 'vitest';

import { indexPatterns } from './index-patterns.ts';
import { shippedVerbs } from './shipped-verbs.ts';
import { understand } from './transducer.ts';

test('a pattern scores 50 + priority/10 + priority/50, which is the confidence in hundredths', () => {
  expect(understand('fix the login bug in src/auth.ts')).toEqual({
    category: 'mutation',
    verb: 'fix',
    target: { type: 'file', text: 'src/auth.ts' },
    confidence: 0.608,
    ambiguity: [],
    steps: [],
    readOnly: false,
    by: 'rules',
    matched: 'fix',
    scope: 'one',
  });
});

test('a synonym scores 20 + length/2 + priority/20 + priority/50, never below .3', () => {
  expect(understand('somehow the stack trace again')).toMatchObject({
    verb: 'debug',
    confidence: 0.319,
    matched: 'stack trace',
  });
  expect(understand('a bug')).toMatchObject({ verb: 'fix', confidence: 0.3 });
});

test('nothing found is explain at .3', () => {
  expect(understand('blah')).toEqual({
    category: 'query',
    verb: 'explain',
    confidence: 0.3,
    ambiguity: [],
    steps: [],
    readOnly: false,
    by: 'default',
    scope: 'unsaid',
  });
});

test.each([
  ['/fix delete everything', 'fix'],
  ['/add a field', 'implement'],
  ['/review-enhance', 'review_enhance'],
  ['/Fix the crash', 'fix'],
])('%s forces its verb', (text, verb) => {
  expect(understand(text)).toMatchObject({ verb, by: 'typed', confidence: 1, ambiguity: [] });
});

test('neither a leading path nor an unknown word is a typed verb', () => {
  expect(understand('/etc/hosts').by).not.toBe('typed');
  expect(understand('/frobnicate it').by).not.toBe('typed');
});

test('only the first 2,000 characters count', () => {
  expect(understand(`${'x '.repeat(1_000)}\nfix the bug in a.ts`)).toMatchObject({
    verb: 'explain',
    by: 'default',
  });
});

test.each([
  ["just explain, don't change anything", true],
  ['dry run the release', true],
  ['what if we dropped the table?', true],
  ['what would happen if we removed the cache', true],
  ['would you fix this', false],
  ['fix it but do not touch the parser', false],
  ['explain it but do not touch the parser', false],
  ['rework it without changing any behavior', false],
  ['delete the file', false],
])('[C102] %s: read-only %s', (text, readOnly) => {
  expect(understand(text).readOnly).toBe(readOnly);
});

test('dream mode makes everything read-only', () => {
  expect(understand('fix it', { mode: 'dream' })).toMatchObject({ verb: 'fix', readOnly: true });
});

test('[C103] connectors cut a request into steps with their relations', () => {
  expect(
    understand('fix "a, then b" in x.ts, then run the tests; if they pass, commit, otherwise revert').steps,
  ).toEqual([
    {
      text: 'fix "a, then b" in x.ts',
      verb: 'fix',
      category: 'mutation',
      relation: 'sequential',
      target: { type: 'file', text: 'x.ts' },
    },
    { text: 'run the tests', verb: 'test', category: 'mutation', relation: 'sequential' },
    { text: 'commit', verb: 'git', category: 'mutation', relation: 'conditional' },
    { text: 'revert', verb: 'git', category: 'mutation', relation: 'fallback' },
  ]);
});

test('the first step that changes something leads, not one that only stops other work', () => {
  expect(understand('run the tests, then refactor the parser, then commit').verb).toBe('refactor');
  expect(understand('run the tests, then commit').verb).toBe('test');
});

test.each([
  ['revert the last commit', 'revert'],
  ['refactor the whole codebase', 'mass-change'],
  ['rename getUser everywhere', 'mass-change'],
  ['fix src/a.ts', undefined],
  ['explain the whole codebase', undefined],
  ['run all tests in the payment module', undefined],
])('%s needs confirmation: %s', (text, confirm) => {
  expect(understand(text).confirm).toBe(confirm);
});

test('"it" takes the target of an earlier turn, and nothing else of it', () => {
  const earlier = understand('delete src/a.ts');
  expect(understand('explain it', { history: [earlier] })).toMatchObject({
    verb: 'explain',
    target: { text: 'src/a.ts' },
    readOnly: false,
  });
  expect(understand('explain loops', { history: [earlier] }).target).toBeUndefined();
});

test.each([
  'what is in this repository?',
  'explain this code base',
  'describe that project',
  'sum up this session',
])('"%s" names the place, not the target of an earlier turn', (text) => {
  const earlier = understand('create phone.md with hi');
  expect(understand(text, { history: [earlier] }).target?.text).not.toBe('phone.md');
});

test("a word that only resembles a destructive command doesn't count as one", () => {
  expect(understand('delegate this to two workers').verb).not.toBe('delete');
  expect(understand('delte the old logs').verb).toBe('delete');
});

test('verbs can be added', () => {
  const deploy = {
    name: 'deploy',
    category: 'mutation',
    persona: 'coder',
    priority: 95,
    synonyms: ['rollout'],
    patterns: ['^deploy\\b'],
  } as const;
  const all = new Map([...shippedVerbs.verbs, ['deploy', deploy]]);
  const verbs = { ...shippedVerbs, verbs: all, index: indexPatterns(all.values()) };
  expect(understand('please deploy it', { verbs })).toMatchObject({ verb: 'deploy', confidence: 0.614 });
  expect(understand('/deploy', { verbs })).toMatchObject({ verb: 'deploy', by: 'typed' });
});

test('an intent survives JSON, and equal text gives an equal intent', () => {
  const text = 'please fix "x" in src/a.ts without touching b, then run the tests';
  expect(JSON.parse(JSON.stringify(understand(text)))).toEqual(understand(text));
});

test('a very long, hostile text takes no noticeable time', () => {
  const started = performance.now();
  for (const text of [
    'fix '.repeat(5_000),
    'a/'.repeat(5_000),
    '"'.repeat(9_999),
    'why '.repeat(2_000),
    'if the tests '.repeat(900),
    ' and then'.repeat(900),
  ]) {
    understand(text);
  }
  expect(performance.now() - started).toBeLessThan(1_500);
});
