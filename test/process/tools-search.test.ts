import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { createToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createGlobTool } from '../../src/tools/search/glob-tool.ts';
import { createGrepTool } from '../../src/tools/search/grep-tool.ts';
import { createListTool } from '../../src/tools/search/list-tool.ts';

async function open(files: Readonly<Record<string, string | Buffer>>) {
  const workspace = await createToolWorkspace();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(workspace.root, name)), { recursive: true });
    await writeFile(path.join(workspace.root, name), content);
  }
  return workspace;
}

const PROJECT = {
  '.gitignore': 'node_modules\n*.log\n!keep.log\n/dist\n',
  'node_modules/pkg/index.js': 'needle',
  'debug.log': 'needle',
  'keep.log': 'needle in a log',
  'dist/out.js': 'needle',
  'src/dist/kept.ts': 'const needle = 1;',
  'src/deep/.gitignore': 'secret-plan.md\n',
  'src/deep/secret-plan.md': 'needle',
  'src/deep/plan.md': 'one\nNeedle here\nthree',
  '.github/ci.yml': 'needle: true',
  '.env': 'TOKEN=needle',
  'image.bin': Buffer.from([1, 0, 2]),
};

describe('list', () => {
  test('C33: shows a tree without what .gitignore names and without following links', async () => {
    await using workspace = await open(PROJECT);
    const result = await createListTool().run({ depth: 3 }, workspace.run());
    expect(result).toMatchObject({
      type: 'success',
      output: [
        '.env',
        '.github/',
        '  ci.yml',
        '.gitignore',
        'image.bin',
        'keep.log',
        'notes.txt',
        'out (link)',
        'src/',
        '  deep/',
        '    .gitignore',
        '    plan.md',
        '  dist/',
        '    kept.ts',
        '  main.ts',
      ].join('\n'),
    });
    expect(await createListTool().run({ path: 'dist' }, workspace.run())).toMatchObject({ output: 'out.js' });
    expect(await createListTool().run({ path: 'notes.txt' }, workspace.run())).toMatchObject({
      type: 'error',
      code: 'not-a-folder',
    });
  });

  test('C33: a long listing is cut and reports it', async () => {
    await using workspace = await open(
      Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`many/${index}.txt`, ''])),
    );
    const result = await createListTool().run({ path: 'many' }, workspace.run());
    expect(result).toMatchObject({
      data: { entries: 500, ended: 'limit' },
      output: expect.stringContaining('Only the first 500'),
    });
  });
});

describe('glob', () => {
  test.for([
    ['*.ts', ['src/dist/kept.ts', 'src/main.ts']],
    ['src/*.ts', ['src/main.ts']],
    ['**/*.{md,yml}', ['.github/ci.yml', 'src/deep/plan.md']],
    ['*.log', ['keep.log']],
  ] as const)('C33: %s', async ([pattern, files]) => {
    await using workspace = await open(PROJECT);
    expect(await createGlobTool().run({ pattern }, workspace.run())).toMatchObject({ output: files.join('\n') });
  });
});

describe('grep', () => {
  test('C33: finds lines, honours .gitignore, leaves out binary files and secrets', async () => {
    await using workspace = await open(PROJECT);
    expect(await createGrepTool().run({ pattern: 'needle', ignore_case: true }, workspace.run())).toEqual({
      type: 'success',
      output: [
        '.github/ci.yml:1:needle: true',
        'keep.log:1:needle in a log',
        'src/deep/plan.md:2:Needle here',
        'src/dist/kept.ts:1:const needle = 1;',
        '[1 files that may contain secrets were skipped. Pass one as path to search it.]',
      ].join('\n'),
      data: { matches: 4, ended: 'complete' },
    });
  });

  test('C33: searches one file, with context, and gives names or counts', async () => {
    await using workspace = await open(PROJECT);
    const grep = (args: object) => createGrepTool().run({ pattern: 'eedle', ...args }, workspace.run());
    expect(await grep({ path: 'src/deep/plan.md', context: 1 })).toMatchObject({
      output: 'src/deep/plan.md-1-one\nsrc/deep/plan.md:2:Needle here\nsrc/deep/plan.md-3-three\n--',
    });
    expect(await grep({ path: 'src', output: 'files' })).toMatchObject({
      output: 'src/deep/plan.md\nsrc/dist/kept.ts',
    });
    expect(await grep({ glob: '*.md', output: 'counts' })).toMatchObject({ output: 'src/deep/plan.md:1' });
    expect(await grep({ path: '.env' })).toMatchObject({ output: '.env:1:TOKEN=needle' });
  });

  test('C33: limits are honoured and a bad pattern is explained', async () => {
    await using workspace = await open({ 'big.txt': 'match\n'.repeat(5_000) });
    expect(await createGrepTool().run({ pattern: 'match', limit: 7 }, workspace.run())).toMatchObject({
      data: { matches: 7, ended: 'limit' },
    });
    expect(await createGrepTool().run({ pattern: '(' }, workspace.run())).toMatchObject({
      type: 'error',
      code: 'bad-pattern',
    });
  });

  test("C33: an endless pattern is stopped, and other searches don't wait for it", async () => {
    await using workspace = await open({ 'trap.txt': `${'a'.repeat(200)}!` });
    const started = performance.now();
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 20);
    const result = await createGrepTool({ timeoutMs: 1_000 }).run({ pattern: '^(a+)+$' }, workspace.run());
    clearInterval(timer);
    expect(result).toMatchObject({ type: 'success', data: { ended: 'timed-out' } });
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(ticks).toBeGreaterThan(10);
  });

  test('P6: a search is cancelled at once', async () => {
    await using workspace = await open({ 'trap.txt': `${'a'.repeat(200)}!` });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    expect(await createGrepTool().run({ pattern: '^(a+)+$' }, workspace.run(controller.signal))).toEqual({
      type: 'cancelled',
    });
  });
});
