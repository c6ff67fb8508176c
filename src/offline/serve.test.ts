// Which skill serves a sentence, and what it does first.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { readRequest } from './offline-request.ts';
import type { Facts } from './facts.ts';
import { planRequest } from './plan-request.ts';
import type { CallResult } from './plan.ts';
import { serve, offlineSkills } from './skills.ts';

const factsOf = (prompt: string, earlier: readonly string[] = []): Facts => ({
  prompt,
  earlier,
  imported: [],
  rounds: [],
  deeds: [],
  tools: new Map(),
  today: '2026-05-20',
  turnedDown: false,
});

/** The skill's name and its first calls. */
function firstOf(prompt: string, earlier: readonly string[] = []): readonly unknown[] {
  const served = serve(readRequest(factsOf(prompt, earlier)).whole);
  if (served === undefined) return ['nothing'];
  const first = served.plan.next([]);
  const want = first.done === true ? undefined : first.value;
  return [served.skill.name, ...(want?.type === 'call' ? want.calls.map(({ tool, args }) => [tool, args]) : [])];
}

const list = [
  ['list', { depth: 1 }],
  ['list', { depth: 4 }],
] as const;
const listIn = (path: string) => [
  ['list', { path, depth: 1 }],
  ['list', { path, depth: 4 }],
];
const edit = (path: string, old_text: string, new_text: string) => [
  'edit',
  { path, edits: [{ old_text, new_text, replace_all: true }] },
];
const grep = (pattern: string, more: object = {}) => [
  'grep',
  { pattern, ...more, ignore_case: pattern === pattern.toLowerCase(), limit: 200 },
];

const word = (name: string, more: object = {}) => [
  'grep',
  { pattern: `(?<![\\w$])${name}(?![\\w$])`, output: 'files', ...more },
];
const nothing = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const keywords = 'function\\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|record';
const defines = (name: string) => [
  'grep',
  { pattern: `\\b(?:${keywords})\\s+(?:\\([^)]*\\)\\s*)?${name}\\b`, limit: 20 },
];

const cases: readonly (readonly [string, ...unknown[]])[] = [
  ['what is in this repository?', 'look around', ...list],
  ['list the files', 'look around', ...list],
  ['Give me an overview of this project, please', 'look around', ...list],
  ['list the files in src/', 'look around', ...listIn('src')],
  ['list the files in api', 'look around', ...listIn('api')],
  ['list the files in the api folder', 'look around', ...listIn('api')],
  ['list the files in this repository', 'look around', ...list],
  ['find config.ts', 'find files', ['glob', { pattern: '**/config.ts' }]],
  ['find all *.test.ts files', 'find files', ['glob', { pattern: '**/*.test.ts' }]],
  ['find files named login', 'find files', ['glob', { pattern: '**/*login*' }]],
  ['how many python files are there?', 'find files', ['glob', { pattern: '**/*.py' }]],
  ['search for "TODO"', 'search text', grep('TODO')],
  ['search for TODO', 'search text', grep('TODO'), ['glob', { pattern: '**/*TODO*' }]],
  ['grep for "a.b(" in src/', 'search text', grep('a\\.b\\(', { path: 'src' })],
  ['serach for "TODO"', 'search text', grep('TODO')],
  ['which files mention "parser"?', 'search text', grep('parser')],
  ['list the files that use moment', 'search text', grep('moment'), ['glob', { pattern: '**/*moment*' }]],
  ['find TODOs', 'search text', grep('TODO'), ['glob', { pattern: '**/*TODO*' }]],
  ['find all todos', 'search text', grep('TODO'), ['glob', { pattern: '**/*TODO*' }]],
  [
    'find the FIXME comments in src/',
    'search text',
    grep('FIXME', { path: 'src' }),
    ['glob', { pattern: '**/*FIXME*', path: 'src' }],
  ],
  ['rename the function total to sum', 'rename a symbol', word('total')],
  ['rename createApp to makeApp in src/', 'rename a symbol', word('createApp', { path: 'src' })],
  ['rename `a$` to b everywhere', 'rename a symbol', word('a\\$')],
  ['commit this', 'commit', ['git_status', {}]],
  ['commit my changes with the message "Fix it"', 'commit', ['git_status', {}]],
  ['please commit everything', 'commit', ['git_status', {}]],
  ['how do I install it?', 'how to install', ['list', { depth: 1 }]],
  ['how do I set this up?', 'how to install', ['list', { depth: 1 }]],
  ['how many lines are there?', 'count lines', ['git_diff', { from: nothing, stat: true }]],
  [
    'how many lines of code are in src/?',
    'count lines',
    ['git_diff', { from: nothing, stat: true, paths: ['src'] }],
  ],
  ['how many lines does src/a.ts have?', 'count lines', ['read', { path: 'src/a.ts', limit: 1 }]],
  ['which version is this?', 'which version', ['list', { depth: 1 }]],
  ['what version of zod do we use?', 'which version', ['list', { depth: 1 }]],
  ['which dependencies are there?', 'which dependencies', ['list', { depth: 1 }]],
  ['what does this project depend on?', 'which dependencies', ['list', { depth: 1 }]],
  ['undo that', 'undo'],
  ['read README.md', 'read a file', ['read', { path: 'README.md', offset: 1, limit: 60 }]],
  [
    'can you show me src/a.ts lines 10 to 20?',
    'read a file',
    ['read', { path: 'src/a.ts', offset: 10, limit: 11 }],
  ],
  ['src/a.ts:7', 'read a file', ['read', { path: 'src/a.ts', offset: 7, limit: 1 }]],
  ['show the last 5 lines of a.log', 'read a file', ['read', { path: 'a.log' }]],
  ['explain src/a.ts', 'explain a file', ['read', { path: 'src/a.ts' }]],
  ['what does src/a.ts do?', 'explain a file', ['read', { path: 'src/a.ts' }]],
  ['what does total do?', 'explain a file', defines('total')],
  ['explain total', 'explain a file', defines('total')],
  ['show my changes', 'show changes', ['git_status', {}]],
  ['git status', 'show changes', ['git_status', {}]],
  ['what has changed?', 'show changes', ['git_status', {}]],
  ['show the last 5 commits', 'show history', ['git_log', { limit: 5 }]],
  ['show the last five commits', 'show history', ['git_log', { limit: 5 }]],
  ['history of README.md', 'show history', ['git_log', { limit: 10, path: 'README.md' }]],
  ['what changed since yesterday?', 'show history', ['git_log', { limit: 100 }], ['git_status', {}]],
  ['run the tests', 'run the tests', ['run_tests', {}]],
  ['do the tests pass?', 'run the tests', ['run_tests', {}]],
  ['npm test', 'run the tests', ['run_tests', {}]],
  ['run the tests in api', 'run the tests', ['list', { path: 'api', depth: 1 }]],
  ['run the tests in src/a.test.ts', 'run the tests', ['run_tests', { filter: 'src/a.test.ts' }]],
  ['run the tests for parser', 'run the tests', ['run_tests', { filter: 'parser' }]],
  ['run `npm test`', 'run a command', ['shell', { command: 'npm test' }]],
  ['run: ls -la', 'run a command', ['shell', { command: 'ls -la' }]],
  ['please run git branch', 'run a command', ['shell', { command: 'git branch' }]],
  ['replace "a b" with "c" in F.md', 'replace text', edit('F.md', 'a b', 'c')],
  ['replace foo by bar in src/a.ts.', 'replace text', edit('src/a.ts', 'foo', 'bar')],
  ["don't change anything: replace foo by bar in a.md", 'replace text', edit('a.md', 'foo', 'bar')],
  ["don't touch src/, replace foo by bar in a.md", 'replace text', edit('a.md', 'foo', 'bar')],
  ['in src/a.ts, replace x with y', 'replace text', edit('src/a.ts', 'x', 'y')],
  ['replace foo with bar everywhere', 'replace text', ['grep', { pattern: 'foo', output: 'files' }]],
  ['create a.txt with "hi"', 'create a file', ['read', { path: 'a.txt', limit: 1 }]],
  ['write "hi" to a.txt', 'create a file', ['read', { path: 'a.txt', limit: 1 }]],
  ['create src/login.ts with a login function', 'create a file'],
  ['append "x" to a.txt', 'append text', ['read', { path: 'a.txt' }]],
  ['append a section about tea to README.md', 'append text'],
  ['rename a.txt to b.txt', 'rename a file', ['read', { path: 'a.txt' }]],
  ['delete a.txt', 'delete a file', ['delete', { path: 'a.txt' }]],
  [
    'delete the folder build and everything in it',
    'delete a file',
    ['delete', { path: 'build', recursive: true }],
  ],
  ['who are you?', 'introduce myself'],
  ['hello', 'introduce myself'],
  ['how do I connect a model?', 'introduce myself'],
  ['what did we do so far?', 'summarize the session'],
  ['delegate to two workers: list the files; run the tests', 'delegate'],
  ['delegate: explain a.ts and explain b.ts', 'delegate'],
  ['create a.txt with "one" and something', 'nothing'],
  ['search the web for tea', 'nothing'],
  ['what do I have to change to add a tool?', 'nothing'],
  ['fix the login bug', 'nothing'],
  ['refactor the parser', 'nothing'],
  ['what is the capital of France?', 'nothing'],
  ["don't delete a.txt", 'nothing'],
  ['how do I delete a file?', 'nothing'],
  ['replace the database with postgres', 'nothing'],
  ['change the color to blue in app.css', 'nothing'],
];

test.each(cases.map(([prompt, ...expected]) => ({ prompt, expected })))('$prompt', ({ prompt, expected }) => {
  expect(firstOf(prompt)).toEqual(expected);
});

test('every example of a skill is served by that skill', () => {
  const wrong = offlineSkills.flatMap(({ name, examples }) =>
    examples
      .filter((example) => firstOf(example)[0] !== name)
      .map((example) => `${example} → ${String(firstOf(example)[0])}`),
  );
  expect(wrong).toEqual([]);
});

test('"it" is the file of the step or prompt before, after a rename the new one', () => {
  expect(firstOf('delete it', ['create a.txt with "hi"'])).toEqual([
    'delete a file',
    ['delete', { path: 'a.txt' }],
  ]);
  expect(firstOf('append "x" to it', ['show a.txt'])).toEqual(['append text', ['read', { path: 'a.txt' }]]);
  expect(firstOf('rename it to b.txt', ['show a.txt'])).toEqual(['rename a file', ['read', { path: 'a.txt' }]]);
  expect(firstOf('delete it')).toEqual(['nothing']);
  const { cuts } = readRequest(factsOf('rename a.txt to b.txt, then show it'));
  expect(cuts[0]?.map(({ request }) => request.path)).toEqual(['a.txt', 'b.txt']);
});

test('content is never cut into steps where its pieces are nothing to do', () => {
  const plan = planRequest(readRequest(factsOf('append wash up, then sleep to todo.txt')), () => {
    throw new Error('no plan was asked for');
  });
  expect(plan.next([])).toEqual({
    done: false,
    value: { type: 'call', calls: [{ tool: 'read', args: { path: 'todo.txt' } }] },
  });
});

test('every plan ends and never throws, whatever is asked and whatever the results are', () => {
  const words = fc.constantFrom(
    ...cases.map(([prompt]) => prompt),
    'then',
    ', and ',
    '"',
    '`',
    'it',
    'everywhere',
    '1. ',
    '2. ',
  );
  const prompt = fc.array(fc.oneof(words, fc.string({ maxLength: 8 })), { minLength: 1, maxLength: 4 });
  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      '1\ta\n2\tb',
      '[The file is empty.]',
      'a.ts:1:x',
      'a.txt',
      'a.txt does not exist. List it.',
      '## main\n M a.txt',
    ),
    fc.constant('1\ta\n[Lines 1–1 of 9. Read on with offset 2.]'),
  );
  const outcome = fc.constantFrom<CallResult['outcome']>('success', 'error', 'cancelled', 'refused', 'withheld');
  fc.assert(
    fc.property(prompt, fc.infiniteStream(fc.record({ outcome, text })), (pieces, results) => {
      const facts = factsOf(pieces.join(' '));
      const plan = planRequest(readRequest(facts), (wish) => readRequest({ ...facts, prompt: wish }));
      let step = plan.next([]);
      for (let count = 0; step.done !== true; count += 1) {
        expect(count).toBeLessThan(200);
        const calls = step.value.type === 'call' ? step.value.calls : [];
        step = plan.next(
          calls.map(({ tool }) => ({ tool, ...(results.next().value ?? { outcome: 'error', text: '' }) })),
        );
      }
      expect(step.value.text.length).toBeGreaterThan(0);
      expect(step.value.text.length).toBeLessThan(20_000);
    }),
    { numRuns: 300 },
  );
});

test.each([['x'], ['/'], ['"'], ['foo bar '], ['a/b.c ']])(
  'a request of a megabyte of %j is planned in a moment',
  (piece) => {
    const started = performance.now();
    const planned = (text: string) => readRequest(factsOf(text));
    planRequest(planned(piece.repeat(1_000_000 / piece.length)), planned).next([]);
    // It took minutes, in which the node renewed no lease.
    expect(performance.now() - started).toBeLessThan(5000);
  },
);
