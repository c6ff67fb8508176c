// The offline model right after installing Rondo: the real binary and tools, no key, no server.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

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

/** Its answer; the run must complete and report only its calls. */
async function ask(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await place.rondo('run', ...words);
  const others = err.split('\n').filter((line) => line !== '' && !/^[✓✗○] /.test(line));
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
    '`src/app.ts`, lines 4–5 of 7\n\n```ts\nexport function boil(degrees: number) {\n  // TODO: altitude\n```\n\nContinue with: `show src/app.ts lines 6-7`',
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
    "I'm not a language model",
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

test('summarizes the session', async () => {
  await ask('find all *.ts files');
  expect(await ask('--session', 'latest', 'what did we do so far?')).toBe(
    '**1 request, 1 tool call** in this session so far:\n\n1. find all *.ts files — glob\n\nNothing was changed.',
  );
});

test('a request that it cannot serve fails, reports it plainly, and suggests only what is related', async () => {
  const capital = await place.rondo('run', 'what is the capital of France?');
  expect(capital.code).toBe(1);
  expect(capital.out).toBe(
    "I did not understand `what is the capital of France?`. I'm Rondo's offline model: rules, not a language model.\n\nSay `help` for the whole list and for how to connect a language model.\n",
  );
  expect(place.masked(capital.err)).toContain('Session ses_X: failed');
  const fix = await place.rondo('run', 'fix the login bug', '--json');
  const result = JSON.parse(fix.out.trimEnd().split('\n').at(-1) ?? '') as { outcome: string; text: string };
  expect([fix.code, result.outcome]).toEqual([1, 'failed']);
  expect(result.text).toMatch(/^I'm Rondo's offline model, not a language model, so I can't do that/);
  expect(result.text).not.toContain('commit');
  const near = await place.rondo('run', 'squash the last commits');
  expect(near.out).toContain('“show the last 5 commits”');
  const partly = await place.rondo('run', '1. list the files 2. deploy it');
  expect(partly.code).toBe(1);
});

test('lists every folder at the top of a large repository, and finds TODOs', async () => {
  await using large = await createCliPlace();
  for (let file = 0; file < 600; file += 1) await large.write(`aaa/${file}.txt`, 'x');
  for (const folder of ['bench', 'src', 'test', 'web']) await large.write(`${folder}/a.ts`, '// TODO: later\n');
  const { out } = await large.rondo('run', 'what is in this repository?');
  for (const folder of ['aaa', 'bench', 'src', 'test', 'web']) expect(out).toContain(`- \`${folder}/\``);
  expect((await large.rondo('run', 'find TODOs')).out).toContain('`TODO`: **4 lines in 4 files**');
});

test('answers from the project’s own files: version, dependencies, lines, how to install', async () => {
  await using own = await createCliPlace();
  await own.write('package.json', {
    name: 'pot',
    version: '1.2.3',
    dependencies: { zod: '^4.0.0' },
    devDependencies: { vitest: '^5.0.0' },
  });
  await own.write('package-lock.json', {});
  await own.write('README.md', '# Pot\n\n## Installation\n\nRun `npm ci`.\n\n## Use\n\nBoil.\n');
  await own.write('a.ts', 'one\ntwo\n');
  const say = async (prompt: string) => {
    const { code, out } = await own.rondo('run', prompt);
    return [code, out.trimEnd()];
  };
  expect(await say('which version is this?')).toEqual([0, 'Version `1.2.3`, says `package.json`.']);
  expect(await say('which version of zod do we use?')).toEqual([
    0,
    '`zod`: `^4.0.0` (among the dependencies in `package.json`)',
  ]);
  expect(await say('which dependencies are there?')).toEqual([
    0,
    '**1 dependencies** in `package.json`:\n\n- `zod` ^4.0.0\n\n**1 development dependencies** in `package.json`:\n\n- `vitest` ^5.0.0',
  ]);
  expect(await say('how many lines does a.ts have?')).toEqual([0, '`a.ts` has 2 lines.']);
  expect(await say('how do I install it?')).toEqual([
    0,
    '`npm ci`, because of `package-lock.json`.\n\nWhat `README.md` says:\n\n```md\nRun `npm ci`.\n```',
  ]);
});

test('renames a symbol as a whole word, undoes an edit, and commits', async () => {
  await using own = await createCliPlace();
  const run = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], {
      cwd: own.project,
      encoding: 'utf8',
    });
  run('init', '-q', '-b', 'main');
  run('config', 'user.name', 'Ann');
  run('config', 'user.email', 'ann@example.org');
  await own.write('a.ts', 'export const total = 1;\nconst totals = [total];\n');
  await own.write('b.ts', "import { total } from './a.ts';\n");
  const auto = (...words: readonly string[]) => own.rondo('run', ...words, '--auto-approve');
  const renamed = await auto('rename the constant total to sum');
  expect([renamed.code, renamed.out]).toEqual([
    0,
    '`total` → `sum`:\n\n- ✓ `a.ts` — 2 places\n- ✓ `b.ts` — 1 place\n\n_Whole words only; strings and comments too. Look over `show my changes`._\n',
  ]);
  expect(await readFile(path.join(own.project, 'a.ts'), 'utf8')).toBe(
    'export const sum = 1;\nconst totals = [sum];\n',
  );
  const committed = await auto('commit this');
  expect([committed.code, committed.out]).toEqual([0, '✓ Committed 2 files as `Add a.ts and b.ts`.\n']);
  await auto('replace "sum" with "amount" in b.ts');
  const undone = await auto('--session', 'latest', 'undo that');
  expect([undone.code, undone.out]).toEqual([0, '- ✓ b.ts: 1 place replaced (line 1).\n']);
  expect(run('status', '--porcelain')).toBe('');
});
