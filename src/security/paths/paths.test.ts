import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openInside } from './open-inside.ts';
import { resolveInside, sensitivityOf } from './paths.ts';

let base = '';
let root = '';

beforeAll(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'rondo-paths-')));
  root = path.join(base, 'root');
  await mkdir(path.join(root, 'src'), { recursive: true });
  await mkdir(path.join(base, 'root-sibling'));
  await writeFile(path.join(root, 'src', 'a.ts'), 'inside');
  await writeFile(path.join(base, 'secret'), 'outside');
  await symlink('../secret', path.join(root, 'file-out'));
  await symlink('..', path.join(root, 'folder-out'));
  await symlink('../not-there-yet', path.join(root, 'dangling-out'));
  await symlink('src', path.join(root, 'folder-in'));
  await symlink('loop', path.join(root, 'loop'));
  await symlink(root, path.join(base, 'root-link'));
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
});

afterAll(() => rm(base, { recursive: true, force: true }));

const verdictOn = async (requested: string) => {
  const verdict = await resolveInside(requested, { roots: [root] });
  return verdict.type === 'inside' ? verdict.relative : `${verdict.code} ${verdict.reason}`;
};

describe('a path is judged by where it really leads [C53] [P8]', () => {
  test.each([
    ['src/a.ts', 'src/a.ts'],
    ['.', ''],
    ['src/../src/./a.ts', 'src/a.ts'],
    ['src/new/deep/file.ts', 'src/new/deep/file.ts'],
    ['folder-in/a.ts', 'src/a.ts'],
    ['folder-in/new.ts', 'src/new.ts'],
    ['..name/x', '..name/x'],
    ['../secret', 'SANDBOX_VIOLATION outside-roots'],
    ['src/../../secret', 'SANDBOX_VIOLATION outside-roots'],
    ['../root-sibling/x', 'SANDBOX_VIOLATION outside-roots'],
    ['/etc/passwd', 'SANDBOX_VIOLATION outside-roots'],
    ['file-out', 'SANDBOX_VIOLATION symlink-out'],
    ['folder-out/secret', 'SANDBOX_VIOLATION symlink-out'],
    ['folder-out/new', 'SANDBOX_VIOLATION symlink-out'],
    ['dangling-out', 'SANDBOX_VIOLATION symlink-out'],
    ['dangling-out/below', 'SANDBOX_VIOLATION symlink-out'],
    ['loop', 'SANDBOX_VIOLATION unresolvable'],
    ['a\0b', 'SANDBOX_VIOLATION nul-byte'],
    ['pipe', 'SANDBOX_VIOLATION special-file'],
    ['src/a.ts/below', 'SANDBOX_VIOLATION unresolvable'],
  ])('%j', async (requested, expected) => {
    expect(await verdictOn(requested)).toBe(expected);
  });

  test('a root may itself be a link, and there may be several', async () => {
    const link = path.join(base, 'root-link');
    expect(await resolveInside(path.join(link, 'src/a.ts'), { roots: ['/nowhere', link] })).toEqual({
      type: 'inside',
      real: path.join(root, 'src/a.ts'),
      relative: 'src/a.ts',
      root,
    });
  });

  test('without a root nothing is inside', async () => {
    expect(await resolveInside('x', { roots: [] })).toEqual({
      type: 'outside',
      code: 'SANDBOX_VIOLATION',
      reason: 'outside-roots',
      message: '"x" no root is open',
    });
  });
});

test.each([
  ['.env', 'secret'],
  ['a/.env.local', 'secret'],
  ['.env.example', undefined],
  ['certs/server.key', 'secret'],
  ['.git/config', 'repository'],
  ['sub/.git/hooks/pre-commit', 'repository'],
  ['.GIT/config', 'repository'],
  ['.gitignore', undefined],
  ['.rondo/agents/a.md', 'configuration'],
  ['rondo.json', 'configuration'],
  ['src/environment.ts', undefined],
])('%s is sensitive as %s [C47]', (relative, expected) => {
  expect(sensitivityOf(relative)).toBe(expected);
});

describe('a file is checked again when it is opened [C53]', () => {
  test('inside: it can be read and written', async () => {
    const written = await openInside('out.txt', { roots: [root], access: 'write' });
    if (written.type !== 'opened') throw new Error(JSON.stringify(written));
    await written.handle.writeFile('hello');
    await written.handle.close();
    const read = await openInside('out.txt', { roots: [root], access: 'read' });
    if (read.type !== 'opened') throw new Error(JSON.stringify(read));
    expect(await read.handle.readFile('utf8')).toBe('hello');
    await read.handle.close();
  });

  test('outside: it is refused with the reason', async () => {
    expect(await openInside('folder-out/secret', { roots: [root], access: 'read' })).toMatchObject({
      type: 'outside',
      reason: 'symlink-out',
    });
    expect(await openInside('pipe', { roots: [root], access: 'read' })).toMatchObject({
      type: 'outside',
      reason: 'special-file',
    });
    expect(await openInside('nothing', { roots: [root], access: 'read' })).toMatchObject({
      type: 'failed',
      code: 'ENOENT',
    });
    expect(await openInside('src/a.ts', { roots: [root], access: 'create' })).toMatchObject({
      type: 'failed',
      code: 'EEXIST',
    });
  });

  test.skipIf(process.platform !== 'linux')(
    'a folder that turns into a link in between never gives the file outside',
    async () => {
      const swap = path.join(root, 'swap');
      await mkdir(swap);
      await writeFile(path.join(swap, 'secret'), 'inside');
      await symlink('..', path.join(root, 'swap-link'));
      const round = { over: false };
      const attacker = (async () => {
        while (!round.over) {
          await rename(swap, `${swap}-kept`);
          await rename(path.join(root, 'swap-link'), swap);
          await rename(swap, path.join(root, 'swap-link'));
          await rename(`${swap}-kept`, swap);
        }
      })();
      const read: string[] = [];
      for (let attempt = 0; attempt < 300; attempt += 1) {
        const opened = await openInside('swap/secret', { roots: [root], access: 'read' });
        if (opened.type !== 'opened') continue;
        read.push(await opened.handle.readFile('utf8'));
        await opened.handle.close();
      }
      round.over = true;
      await attacker;
      expect(read.filter((content) => content !== 'inside')).toEqual([]);
    },
  );
});
