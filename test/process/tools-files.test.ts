import { chmod, mkdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import type { ToolContext } from '../../src/ports/tool.ts';
import { createToolWorkspace, type ToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createDeleteTool } from '../../src/tools/files/delete-tool.ts';
import { createEditTool } from '../../src/tools/files/edit-tool.ts';
import { createReadLedger } from '../../src/tools/define/read-ledger.ts';
import { createReadTool } from '../../src/tools/files/read-tool.ts';
import { createWriteTool } from '../../src/tools/files/write-tool.ts';

async function open() {
  const workspace = await createToolWorkspace();
  const ledger = createReadLedger();
  const tools = {
    read: createReadTool({ ledger }),
    write: createWriteTool({ ledger }),
    edit: createEditTool({ ledger }),
    delete: createDeleteTool({ ledger }),
  };
  const run = (tool: keyof typeof tools, args: unknown) => tools[tool].run(args, workspace.run());
  return { workspace, tools, run, ledger, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() };
}

function at(workspace: ToolWorkspace, name: string): string {
  return path.join(workspace.root, name);
}

describe('read', () => {
  test('C32: gives numbered lines, a range of them, and how to read on', async () => {
    await using world = await open();
    await writeFile(
      at(world.workspace, 'long.txt'),
      Array.from({ length: 50 }, (_, index) => `line ${index + 1}`).join('\n'),
    );
    expect(await world.run('read', { path: 'long.txt', offset: 3, limit: 2 })).toEqual({
      type: 'success',
      output: '3\tline 3\n4\tline 4\n[Lines 3–4 of 50. Read on with offset 5.]',
      data: { path: 'long.txt', lines: 50, from: 3, to: 4 },
    });
    expect(await world.run('read', { path: 'long.txt', offset: 51 })).toMatchObject({
      type: 'error',
      code: 'past-the-end',
    });
  });

  test('C32: says what a folder, a missing and a binary file are', async () => {
    await using world = await open();
    await writeFile(at(world.workspace, 'image.png'), Buffer.from([0x89, 0x50, 0, 1, 2]));
    expect(await world.run('read', { path: 'src' })).toMatchObject({ type: 'error', code: 'is-a-folder' });
    expect(await world.run('read', { path: 'gone.txt' })).toMatchObject({ type: 'error', code: 'not-found' });
    expect(await world.run('read', { path: 'image.png' })).toMatchObject({ type: 'error', code: 'binary' });
    expect(await world.run('read', { path: 'notes.txt/x' })).toMatchObject({ type: 'error' });
  });

  test.for([
    [
      'utf-16le with a mark',
      Buffer.from('\u{feff}größe\n', 'utf16le'),
      '1\tgröße\n[Format: utf-16le, byte-order mark]',
    ],
    [
      'utf-16be with a mark',
      Buffer.from('\u{feff}größe\n', 'utf16le').swap16(),
      '1\tgröße\n[Format: utf-16be, byte-order mark]',
    ],
    ['utf-8 with a mark', Buffer.from('\u{feff}größe\r\n'), '1\tgröße\n[Format: byte-order mark, CRLF line ends]'],
    ['latin1', Buffer.from('größe\n', 'latin1'), '1\tgröße\n[Format: latin1]'],
    ['nothing', Buffer.alloc(0), '[The file is empty.]'],
  ] as const)('C32: notices %s', async ([, content, output]) => {
    await using world = await open();
    await writeFile(at(world.workspace, 'file'), content);
    expect(await world.run('read', { path: 'file' })).toMatchObject({ type: 'success', output });
  });

  test('C32: a huge file is read in part, without being held', async () => {
    await using world = await open();
    const file = at(world.workspace, 'huge.log');
    await writeFile(file, 'some line of a log\n'.repeat(1_200_000));
    const result = await world.run('read', { path: 'huge.log', offset: 100_000, limit: 2 });
    expect(result).toMatchObject({ type: 'success', data: { from: 100_000, to: 100_001 } });
    await truncate(file, 30_000_000_000);
    expect(await world.run('read', { path: 'huge.log', limit: 1 })).toMatchObject({ type: 'success' });
    await writeFile(file, 'x'.repeat(20_000_000));
    expect(await world.run('read', { path: 'huge.log' })).toMatchObject({
      type: 'success',
      output: expect.stringMatching(/^1\tx{2000}… \[line cut\]/),
    });
  });

  test('P8: a file that may hold secrets is marked for the policy', async () => {
    await using world = await open();
    await writeFile(at(world.workspace, '.env'), 'KEY=1');
    expect(await world.tools.read.describe({ path: '.env' }, world.workspace.context())).toMatchObject({
      paths: [{ path: '.env', access: 'read', inside: true, sensitive: true }],
    });
  });
});

describe('write', () => {
  test('C32: makes parent folders and leaves no other file behind', async () => {
    await using world = await open();
    expect(await world.run('write', { path: 'a/b/c.txt', content: 'hi\n' })).toEqual({
      type: 'success',
      output: 'a/b/c.txt was created (3 bytes).',
      data: { path: 'a/b/c.txt', bytes: 3, created: true, changed: true },
    });
    expect(Object.keys(await world.workspace.snapshot()).filter((name) => name.startsWith('root/a'))).toEqual([
      'root/a/b/c.txt',
    ]);
    expect(await world.run('write', { path: 'one', content: '1' })).toMatchObject({
      output: 'one was created (1 byte).',
    });
  });

  test('C32: says how many lines of an existing file it replaced, in any encoding', async () => {
    await using world = await open();
    await writeFile(at(world.workspace, 'list.txt'), Buffer.from('\u{feff}one\r\ntwo\r\nthree\r\n', 'utf16le'));
    await world.run('read', { path: 'list.txt' });
    const write = (content: string) => world.run('write', { path: 'list.txt', content });
    expect([await write('one\n2\n'), await write('one\n2\n')]).toMatchObject([
      { data: { created: false, changed: true, added: 1, removed: 2 } },
      { data: { created: false, changed: false } },
    ]);
    await writeFile(at(world.workspace, 'picture'), Buffer.from([0, 1, 2]));
    const { data } = (await world.run('write', { path: 'picture', content: 'text\n' })) as { data?: object };
    expect(Object.keys(data ?? {})).toEqual(['path', 'bytes', 'created', 'changed']);
  });

  test('C32: keeps mode, line ends, encoding and the link it went through', async () => {
    await using world = await open();
    const file = at(world.workspace, 'run.sh');
    await writeFile(file, Buffer.from('\u{feff}one\r\ntwo\r\n', 'utf16le'));
    await chmod(file, 0o750);
    await symlink('run.sh', at(world.workspace, 'link'));
    expect(await world.run('write', { path: 'link', content: 'größer\nthree\n' })).toMatchObject({
      type: 'success',
    });
    expect((await readFile(file)).toString('utf16le')).toBe('\u{feff}größer\r\nthree\r\n');
    expect((await stat(file)).mode & 0o777).toBe(0o750);
    expect((await world.workspace.snapshot())['root/link']).toBe('-> run.sh');
  });

  test('C32: refuses when the file changed since it was read, and writes after it was read again', async () => {
    await using world = await open();
    await world.run('read', { path: 'notes.txt' });
    await writeFile(at(world.workspace, 'notes.txt'), 'by somebody else\n');
    expect(await world.run('write', { path: 'notes.txt', content: 'mine' })).toMatchObject({
      type: 'error',
      code: 'changed',
    });
    expect(await world.run('delete', { path: 'notes.txt' })).toMatchObject({ type: 'error', code: 'changed' });
    await world.run('read', { path: 'notes.txt' });
    expect(await world.run('write', { path: 'notes.txt', content: 'mine' })).toMatchObject({ type: 'success' });
    expect(await world.run('write', { path: 'notes.txt', content: 'mine again' })).toMatchObject({
      type: 'success',
    });
  });

  test('P2: repeated after a crash it finishes or finds its work done, and writes over nobody', async () => {
    await using world = await open();
    const again = { ...world.workspace.run(), attempt: 2 };
    const args = { path: 'notes.txt', content: 'mine\n' };
    expect(await world.tools.write.run(args, again)).toMatchObject({ type: 'error', code: 'changed' });
    expect(await world.tools.write.run({ ...args, path: 'fresh.txt' }, again)).toMatchObject({
      data: { created: true },
    });
    await writeFile(at(world.workspace, 'notes.txt'), 'mine\n');
    expect(await world.tools.write.run(args, again)).toMatchObject({ data: { changed: false } });
  });

  test('C32: replaces a file that is too large to hold', async () => {
    await using world = await open();
    const file = at(world.workspace, 'huge.log');
    await writeFile(file, 'log\n');
    await truncate(file, 5_000_000_000);
    expect(await world.run('write', { path: 'huge.log', content: 'small\n' })).toMatchObject({ type: 'success' });
    expect(await readFile(file, 'utf8')).toBe('small\n');
  });

  test('the mark that stands for a secret is not written in its place', async () => {
    await using world = await open();
    expect(await world.run('write', { path: 'notes.txt', content: 'KEY=[redacted]\n' })).toMatchObject({
      type: 'error',
      code: 'redacted',
    });
  });

  test('C32: a character the file cannot hold is an error, not a changed encoding', async () => {
    await using world = await open();
    await writeFile(at(world.workspace, 'old.txt'), Buffer.from('größe\n', 'latin1'));
    expect(await world.run('write', { path: 'old.txt', content: '漢字' })).toMatchObject({
      type: 'error',
      code: 'bad-encoding',
    });
  });

  test('C32: a folder that was swapped for a link between judging and running is refused', async () => {
    await using world = await open();
    const args = { path: 'fresh/file.txt', content: 'x' };
    expect((await world.tools.write.describe(args, world.workspace.context())).paths).toEqual([
      { path: 'fresh/file.txt', access: 'write', inside: true },
    ]);
    await symlink(world.workspace.outside, at(world.workspace, 'fresh'));
    expect(await world.run('write', args)).toMatchObject({ type: 'error', code: 'SANDBOX_VIOLATION' });
  });

  test('its grant is for the folder', async () => {
    await using world = await open();
    expect(
      (await world.tools.write.describe({ path: 'src/x.ts', content: '' }, world.workspace.context())).grants,
    ).toEqual(['write(src/**)']);
    expect(
      (await world.tools.write.describe({ path: '.git/config', content: '' }, world.workspace.context())).grants,
    ).toEqual([]);
  });
});

describe('edit', () => {
  test('[P3] a new edit that cannot apply has a problem before anybody is asked', async () => {
    await using world = await open();
    const { workspace, tools } = world;
    await writeFile(at(workspace, 'total.js'), 'let total = 1;\n');
    await writeFile(at(workspace, '.env'), 'KEY=1\n');
    const problem = async (file: string, old_text: string, more: Partial<ToolContext> = {}) => {
      const edits = [{ old_text, new_text: 'X' }];
      const context = { ...workspace.context(), earlier: async () => [], ...more };
      return (await tools.edit.describe({ path: file, edits }, context)).problem;
    };
    const unseen = 'total.js: old_text is not in the file. Read it, then edit. Nothing was changed.';
    expect(await problem('total.js', 'NOPE')).toEqual({ code: 'no-match', message: unseen });
    await world.run('read', { path: 'total.js' });
    expect(await problem('total.js', 'let totals')).toEqual({
      code: 'no-match',
      message:
        'total.js: old_text is not in the file. The nearest lines are 1: "let total = 1;". Nothing was changed.',
    });
    const facts = (args: object) => tools.write.describe({ content: '', ...args }, workspace.context());
    const after = async (path: string) => ({ earlier: async () => [await facts({ path })] });
    expect({
      applies: await problem('total.js', 'total'),
      missing: await problem('gone.js', 'NOPE'),
      secret: await problem('.env', 'NOPE'),
      forbidden: await problem('total.js', 'NOPE', {
        fileRules: [{ verdict: 'deny', tool: 'read', pattern: 'total.js', origin: 'user' }],
      }),
      afterWrite: await problem('total.js', 'NOPE', await after('./total.js')),
      afterRestart: (
        await tools.edit.describe(
          { path: 'total.js', edits: [{ old_text: 'NOPE', new_text: 'X' }] },
          workspace.context(),
        )
      ).problem,
      unsaved: await problem('notes.txt', 'NOPE', {
        buffers: { read: async () => 'NOPE', write: async () => true },
      }),
    }).toEqual({});
    expect(await problem('total.js', 'NOPE', await after('other.js'))).toMatchObject({ code: 'no-match' });
  });

  test('C32: replaces exact text, several pieces in one call, all or none', async () => {
    await using world = await open();
    const edits = [
      { old_text: 'first', new_text: '1st' },
      { old_text: 'second', new_text: '2nd' },
    ];
    expect(await world.run('edit', { path: 'notes.txt', edits })).toMatchObject({
      type: 'success',
      data: { replaced: 2, lines: [1, 2] },
    });
    expect(await readFile(at(world.workspace, 'notes.txt'), 'utf8')).toBe('1st line\n2nd line\n');
    const half = [
      { old_text: '1st', new_text: 'x' },
      { old_text: 'absent', new_text: 'y' },
    ];
    expect(await world.run('edit', { path: 'notes.txt', edits: half })).toMatchObject({
      type: 'error',
      code: 'no-match',
    });
    expect(await readFile(at(world.workspace, 'notes.txt'), 'utf8')).toBe('1st line\n2nd line\n');
  });

  test('C32: text with \\n fits a file with \\r\\n, whose other lines stay as they are', async () => {
    await using world = await open();
    await writeFile(at(world.workspace, 'dos.txt'), 'a\r\nb\r\nc\nd\r\n');
    await world.run('edit', { path: 'dos.txt', edits: [{ old_text: 'a\nb', new_text: 'A\nB' }] });
    expect(await readFile(at(world.workspace, 'dos.txt'), 'utf8')).toBe('A\r\nB\r\nc\nd\r\n');
  });

  test('C32: is refused when the file changed since it was read', async () => {
    await using world = await open();
    await world.run('read', { path: 'notes.txt' });
    await writeFile(at(world.workspace, 'notes.txt'), 'first line, changed\n');
    expect(
      await world.run('edit', { path: 'notes.txt', edits: [{ old_text: 'first', new_text: 'x' }] }),
    ).toMatchObject({ type: 'error', code: 'changed' });
  });
});

describe('delete', () => {
  test('C32: deletes a file, a link but not its target, and a folder only if asked to', async () => {
    await using world = await open();
    await symlink('notes.txt', at(world.workspace, 'link'));
    await mkdir(at(world.workspace, 'empty'));
    expect(await world.run('delete', { path: 'link' })).toMatchObject({ type: 'success', data: { kind: 'link' } });
    expect(await readFile(at(world.workspace, 'notes.txt'), 'utf8')).toContain('first');
    expect(await world.run('delete', { path: 'empty' })).toMatchObject({ type: 'success' });
    expect(await world.run('delete', { path: 'src' })).toMatchObject({ type: 'error', code: 'not-empty' });
    expect(await world.run('delete', { path: 'src', recursive: true })).toMatchObject({ type: 'success' });
    expect(Object.keys(await world.workspace.snapshot()).toSorted()).toEqual([
      'outside/secret.txt',
      'root/notes.txt',
      'root/out',
    ]);
  });

  test('C47: never deletes a root', async () => {
    await using world = await open();
    for (const name of ['.', 'src/..', world.workspace.root]) {
      expect(await world.run('delete', { path: name, recursive: true })).toMatchObject({
        type: 'error',
        code: 'SANDBOX_VIOLATION',
      });
    }
  });
});
