// The offline model as somebody meets it who has just installed Rondo: the real binary and tools, no key, no server.
import { execFileSync } from 'node:child_process';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createCliPlace, type CliPlace } from './cli-process.ts';

let place: CliPlace;
beforeAll(async () => {
  place = await createCliPlace();
  await place.write('README.md', '# Teapot\n\nA small library that boils water.\n\n## Use\n\nCall `boil`.\n');
  await place.write(
    'package.json',
    '{\n  "name": "teapot",\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  );
  await place.write(
    'src/app.ts',
    "/** Boils water. */\nimport { heat } from './heat.ts';\n\nexport function boil(degrees: number) {\n  // TODO: altitude\n  return heat(degrees) >= 100;\n}\n",
  );
  await place.write('src/heat.ts', 'export const heat = (degrees: number) => degrees;\n');
  await place.write('test/app.test.js', "import { test } from 'node:test';\ntest('boils', () => {});\n");
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'The first pot');
});
afterAll(() => place[Symbol.asyncDispose]());

function git(...words: readonly string[]): void {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, ...words], { cwd: place.project });
}

/** What it says; a run of it is completed and tells of nothing but its calls. */
async function ask(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await place.rondo('run', ...words);
  const others = err.split('\n').filter((line) => line !== '' && !/^[✓✗] /.test(line));
  expect({ code, others }).toEqual({ code: 0, others: [] });
  return out.trimEnd();
}

test('looks around', async () => {
  expect(await ask('what is in this repository?')).toBe(`**Teapot** — 5 files in 2 folders

> A small library that boils water.

- **Made with:** Node.js
- **Kinds of file:** 2 .ts, 1 .md, 1 .json, 1 .js

- \`src/\` — 2 files
- \`test/\` — 1 file
- \`README.md\`
- \`package.json\`

Try: \`explain FILE\`, \`find TODO\`, \`show the last 5 commits\`, \`run the tests\`.`);
});

test('finds files', async () => {
  expect(await ask('find all *.ts files')).toBe('**2 files** match `**/*.ts`:\n\n- `src/app.ts`\n- `src/heat.ts`');
  expect(await ask('find nothing.ts')).toBe('No file matches `**/nothing.ts`.');
});

test('searches text', async () => {
  expect(await ask('search for "heat("')).toBe(
    '`heat(`: **1 line in 1 file**\n\n- `src/app.ts:6` `return heat(degrees) >= 100;`',
  );
});

test('reads lines of a file, also one that is named without its folder', async () => {
  expect(await ask('show app.ts lines 4-5')).toBe(
    '`src/app.ts`, lines 4–5 of 7\n\n```ts\nexport function boil(degrees: number) {\n  // TODO: altitude\n```\n\nTo go on: `show src/app.ts lines 6-7`',
  );
});

test('explains the structure of a file', async () => {
  expect(await ask('explain src/app.ts')).toBe(`**src/app.ts** — 7 lines, 1 empty

> Boils water.

- **Imports** (1): \`./heat.ts\` (2)
- **Exports** (1): \`function boil\` (4)

_This is its structure. What the code means takes a language model, which I am not._`);
  expect(await ask('explain the function boil')).toContain('`boil` is defined in `src/app.ts:4`');
});

test('shows changes, history, and what changed since yesterday', async () => {
  await place.write('src/heat.ts', 'export const heat = (degrees: number) => degrees + 1;\n');
  const changes = await ask('show my changes');
  git('checkout', '-q', '--', 'src/heat.ts');
  expect(changes).toMatch(
    /^\*\*1 file\*\* changed on `main` \(\+1 −1 lines\):\n\n- `src\/heat.ts` — changed\n\n```diff\n/,
  );
  expect(await ask('what has changed?')).toBe('Nothing has changed on `main`.');
  expect(await ask('show the last 3 commits')).toMatch(
    /^\*\*1 commit\*\*, newest first:\n\n- `[0-9a-f]+` [\d-]+ Ann: The first pot$/,
  );
  expect(await ask('what changed since yesterday?')).toMatch(
    /^\*\*1 commit\*\* since [\d-]+:\n\n- `[0-9a-f]+` [\d-]+ Ann: The first pot\n\nNothing is uncommitted.$/,
  );
});

test('runs the tests and reports what failed', async () => {
  expect(await ask('run the tests', '--allow', 'run_tests')).toMatch(/^✓ \*\*All tests passed\*\* \(`npm test`\)/);
  await place.write(
    'test/bad.test.js',
    "import { test } from 'node:test';\ntest('whistles', () => { throw new Error('silent'); });\n",
  );
  const failed = await ask('run the tests', '--allow', 'run_tests');
  git('clean', '-qf', 'test');
  expect(failed).toMatch(/^✗ \*\*The tests failed\*\* \(`npm test`, exit code 1\)/);
  expect(failed).toContain('whistles');
});

test('runs a command that is stated exactly', async () => {
  expect(await ask('run `echo tea`', '--allow', 'shell(echo *)')).toBe('✓ `echo tea`\n\n```\ntea\n```');
  expect(await ask('run: exit 3', '--auto-approve')).toBe('✗ `exit 3` — exit code 3\n\nIt wrote nothing.');
});

test('introduces itself honestly and names the ways to a model', async () => {
  const said = await ask('who are you?');
  for (const words of [
    'I am no language model',
    '**I cannot**',
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'AWS',
    'Ollama',
    '`rondo models`',
  ])
    expect(said).toContain(words);
});

test('[C63] [C77] makes a plan, and hands tasks to several workers', async () => {
  expect(await ask('make a plan: 1. list the files 2. run the tests 3. deploy it'))
    .toBe(`**Plan** (nothing was run)

1. list the files — look around
2. run the tests — run the tests
3. deploy it — **not understood**

For what I did not understand you need a language model, or other words; \`help\` has more.`);
  const said = await ask('delegate to two workers: list the files; find all *.ts files');
  expect(said).toContain('✓ Handed 2 tasks to workers');
  expect(said).toMatch(/## task-1: completed\n\*\*Teapot\*\*[\s\S]*## task-2: completed\n\*\*2 files\*\* match/);
});

test('sums up what was done in the session', async () => {
  await ask('find all *.ts files');
  expect(await ask('--session', 'latest', 'what did we do so far?')).toBe(
    '**1 request, 1 tool call** in this session so far:\n\n1. find all *.ts files — glob\n\nNothing was changed.',
  );
});

test('says plainly what it did not understand, and what comes nearest', async () => {
  const said = await ask('what is the capital of France?');
  expect(said).toMatch(
    /^I did not understand `what is the capital of France\?`\. I am Rondo's offline model: rules, no language model\./,
  );
  expect(said).toContain('**What I can do that comes nearest**');
  expect(await ask('fix the login bug')).toMatch(
    /^I am Rondo's offline model, and no language model: I cannot do that/,
  );
});
