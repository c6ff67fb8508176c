// README, guides and examples: every block of them runs, is checked, or says why not.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { commands, isCommandName } from '../../src/cli/command-table.ts';
import { blocksOf, faultOf, missingLines, stepsOf, type Block } from './guide-blocks.ts';
import { checks, createGuidePlace, type GuidePlace } from './guide-places.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pages = globSync(
  ['README.md', 'docs/coming-from.md', 'docs/{guides,operate}/*.md', 'examples/**/README.md'],
  { cwd: root },
)
  .toSorted()
  .map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return { file, text, blocks: blocksOf(text) };
  });
const programs = pages.flatMap(({ file, blocks }) =>
  blocks.filter(({ language }) => language === 'ts').map((block) => ({ file, block })),
);

/** Inside the package, so that `rondo` resolves to it. */
let folder = '';
const programFile = (file: string, { line }: Block) =>
  path.join(folder, `${file.replaceAll(/\W/g, '-')}-${line}.ts`);

beforeAll(() => {
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(path.join(root, '.cache/guides-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every block of every guide is run or checked, or its page says why not', () => {
  const faults = pages.flatMap(({ file, blocks }) =>
    blocks.flatMap((block) => {
      const fault = faultOf(block, Object.keys(checks));
      return fault === undefined ? [] : [`${file}:${block.line}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
  expect(programs.length).toBeGreaterThan(5);
});

test('a block that nothing runs and a marker without a reason are faults', () => {
  const page = `
\`\`\`
rondo ls
\`\`\`

<!-- not run: -->
\`\`\`sh
rondo ls
\`\`\`

<!-- checked as: prose -->
\`\`\`json
{}
\`\`\`

<!-- not run: needs a key -->
\`\`\`sh
rondo ls
\`\`\`

\`\`\`json
{}
\`\`\`

    rondo ls
`;
  expect(blocksOf(page).map((block) => [block.line, faultOf(block, ['webhook'])])).toEqual([
    [2, 'a block of "": make it sh, console, ts or json, or say <!-- not run: why --> above it'],
    [7, '"not run" without a word after it'],
    [12, 'no check "prose"'],
    [17, undefined],
    [21, 'JSON that nothing checks: say <!-- file: NAME --> or <!-- checked as: … --> above it'],
    [25, 'an indented block; use a fence with a language'],
  ]);
});

test('lines that a page shows are looked for in order, with ids masked', () => {
  const printed = 'Session ses_1m7jf2q5 waits\nAllow write?  (q_1m7jf2q9)\n  at http://127.0.0.1/#token=abc\n';
  expect(missingLines(['Session ses_… waits', 'Allow write? (q_1m…)', 'at http://…'], printed)).toEqual([]);
  expect(missingLines(['Allow write? (q_…)', 'Session ses_… waits', 'Allow'], printed)).toEqual([
    'Session ses_… waits',
    'Allow',
  ]);
});

test('every `rondo …` in a sentence or table names a command and options there are', async () => {
  const faults: string[] = [];
  const units = globSync('docs/operate/{Containerfile,*.service}', { cwd: root }).map((file) => ({
    file,
    text: readFileSync(path.join(root, file), 'utf8')
      .replaceAll(/[",[\]]/g, '')
      .replaceAll(/\S*\/rondo(\.cjs)? (serve.*)/g, '`rondo $2`'),
  }));
  for (const { file, text } of [...pages, ...units]) {
    for (const [, span = ''] of text.matchAll(/`((?:[^`\n]*[|] )?rondo [^`\n]+)`/g)) {
      const [, name = '', ...words] = /\brondo .*/.exec(span)?.[0].split(' ') ?? [];
      if (name.startsWith('-') || name === '…') continue;
      if (!isCommandName(name)) {
        faults.push(`${file}: ${span}: no command ${name}`);
        continue;
      }
      const { options, words: first } = await commands[name].load();
      const flags = [...words.join(' ').matchAll(/(?<![\w-])--([\w-]+)/g)].map(([, flag = '']) => flag);
      for (const flag of flags)
        if (!Object.hasOwn(options, flag)) faults.push(`${file}: ${span}: no option --${flag}`);
      const [word] = words;
      if (first !== undefined && word !== undefined && /^[a-z]+$/.test(word) && !Object.hasOwn(first, word))
        faults.push(`${file}: ${span}: no ${name} ${word}`);
    }
  }
  expect(faults).toEqual([]);
});

test('every `npm run …` and `node FILE` on a page names a script and a file there are', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const missing = pages.flatMap(({ file, text }) => [
    ...[...text.matchAll(/\bnpm (?:run (\S+?)|(start|test))[`\s]/g)].flatMap(([all, name, short]) =>
      Object.hasOwn(scripts, name ?? short ?? '') ? [] : [`${file}: ${all}`],
    ),
    ...[...text.matchAll(/\bnode ((?:scripts|examples|bench|bin)\/[\w./-]+)/g)].flatMap(([all, program = '']) =>
      existsSync(path.join(root, program)) ? [] : [`${file}: ${all}`],
    ),
  ]);
  expect(missing).toEqual([]);
});

test('every HTTP request in a sentence or table is one the server knows', () => {
  const { paths } = JSON.parse(readFileSync(path.join(root, 'docs/schemas/openapi.json'), 'utf8')) as {
    readonly paths: Readonly<Record<string, object>>;
  };
  const apart = ['GET /healthz', 'GET /readyz', 'GET /metrics'];
  const known = new Set([
    ...apart,
    ...Object.entries(paths).flatMap(([at, methods]) =>
      Object.keys(methods).map((method) => requestOf(method.toUpperCase(), at)),
    ),
  ]);
  const written = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([^\s`]+)/g)].map(([, method = '', at = '']) => ({
      file,
      request: requestOf(method, at),
    })),
  );
  expect(written.length).toBeGreaterThan(5);
  expect(written.filter(({ request }) => !known.has(request))).toEqual([]);
});

/** Pages omit the prefix and choose their own parameter names. */
function requestOf(method: string, at: string): string {
  return `${method} ${at.replace(/^\/api\/v1/, '').replaceAll(/\{\w+\}/g, '{}')}`;
}

test('every program on a page compiles', () => {
  for (const { file, block } of programs) {
    const declared = block.text.includes('render(') ? '\ndeclare function render(update: unknown): void;' : '';
    writeFileSync(programFile(file, block), `${block.text}${declared}\nexport {};\n`);
  }
  const settings = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: { noUnusedLocals: false },
    files: programs.map(({ file, block }) => programFile(file, block)),
    include: [],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(settings));
  let printed = '';
  try {
    execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
      // As in scripts/check.ts.
      env: { ...process.env, GOGC: '400' },
    });
  } catch (error) {
    printed = (error as { readonly stdout: string }).stdout;
  }
  expect(printed).toBe('');
});

const run = pages.filter(({ blocks }) => blocks.some(({ directive }) => directive?.type !== 'not run'));

test.for(run)('$file does what it says', async ({ file, blocks }) => {
  await using place = await createGuidePlace(file);
  const faults: string[] = [];
  for (const block of blocks) {
    for (const fault of await runBlock(file, block, place)) faults.push(`${file}:${block.line}: ${fault}`);
  }
  expect(faults).toEqual([]);
});

async function runBlock(file: string, block: Block, place: GuidePlace): Promise<readonly string[]> {
  const { directive, language, text } = block;
  switch (directive?.type) {
    case 'not run':
      return [];
    case 'checked as': {
      const result = await checks[directive.about]?.(text, place);
      return result === true ? [] : [JSON.stringify(result)];
    }
    case 'file':
      await place.write(directive.about, text);
      if (!directive.about.endsWith('rondo.json')) return [];
      return failed('rondo config check', await place.shell.run('rondo config check'));
    case undefined:
      if (language === 'ts') return runProgram(file, block, place);
      return runCommands(block, place);
  }
}

async function runProgram(file: string, block: Block, place: GuidePlace): Promise<readonly string[]> {
  const program = programFile(file, block);
  writeFileSync(program, place.replace(block.text));
  const ended = await place.shell.run(`node ${program}`);
  return ended.printed.includes('Assertion failed') ? [ended.printed] : failed('the program', ended);
}

async function runCommands(block: Block, place: GuidePlace): Promise<readonly string[]> {
  const faults: string[] = [];
  const steps = stepsOf(block);
  for (const [index, { command: written, shown }] of steps.entries()) {
    const command = place.replace(written);
    const expected = shown.map((line) => place.replace(line));
    if (/^rondo serve\b/.test(command)) {
      faults.push(...missingLines(expected, await place.shell.serve(command)));
      continue;
    }
    const ended = await place.shell.run(asPerson(command));
    place.notice(ended.printed);
    // A page that shows the exit code expects it.
    if (steps[index + 1]?.command !== 'echo $?') faults.push(...failed(command, ended));
    const missing = missingLines(expected, ended.printed);
    if (missing.length > 0) faults.push(`${command} doesn't print ${missing.join('\n')}\nbut ${ended.printed}`);
  }
  return faults;
}

/** Commands that ask a person run on a terminal whose user agrees. */
function asPerson(command: string): string {
  return /^rondo trust *(#.*)?$/.test(command) ? "echo y | script -qec 'rondo trust' /dev/null" : command;
}

function failed(what: string, { code, printed }: { readonly code: number; readonly printed: string }): string[] {
  return code === 0 ? [] : [`${what} exits with ${code}: ${printed}`];
}
