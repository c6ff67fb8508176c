// A file of a session's folder over HTTP, attacked by a viewer.
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';

import { expect, test } from 'vitest';

import { ownIdentity } from '../../src/journal/process-identity.ts';
import { createWorktrees } from '../../src/worktrees/worktrees.ts';
import { codeOf, idOf, start } from './server-setup.ts';
import { createRepositoryPlace } from './worktrees-place.ts';

const key = 'sesame-open-9f2c41';

async function startShowing() {
  const place = createRepositoryPlace();
  const worktrees = createWorktrees({
    holders: { self: ownIdentity(), isDead: () => false },
    settings: () => ({ folder: place.at('trees'), branchPrefix: 'rondo/', copy: [], setUp: [] }),
  });
  const server = await start({ server: { cwd: place.at('project'), catalog: { worktrees } } });
  const id = idOf(await server.call('POST', '/v1/sessions', { cwd: place.at('project') }));
  const token = await server.token('viewer');
  const read = (path: string, by: string | null = token, session = id) =>
    server.call('GET', `/v1/sessions/${session}/file?path=${encodeURIComponent(path)}`, undefined, { token: by });
  return { place, server, read };
}

test('[C95] a viewer reads the current text of a file, by its relative or absolute path', async () => {
  const { place, read } = await startShowing();
  place.write('project/src/new.ts', 'export const a = 1;\n');
  place.write('project/logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]));
  place.write('project/huge.txt', 'x'.repeat(600_000));
  place.write('project/empty.txt', '');
  const bodies = await Promise.all(
    ['src/new.ts', place.at('project/src/new.ts'), './src/../a.txt', 'logo.png', 'huge.txt', 'empty.txt'].map(
      async (path) => (await read(path)).body,
    ),
  );
  expect(bodies).toEqual([
    { type: 'text', path: 'src/new.ts', bytes: 20, text: 'export const a = 1;\n' },
    { type: 'text', path: 'src/new.ts', bytes: 20, text: 'export const a = 1;\n' },
    { type: 'text', path: 'a.txt', bytes: 4, text: 'one\n' },
    { type: 'binary', path: 'logo.png', bytes: 5 },
    { type: 'too-large', path: 'huge.txt', bytes: 600_000, most: 524_288 },
    { type: 'text', path: 'empty.txt', bytes: 0, text: '' },
  ]);
});

test('[S5, S13, S21] no path leads a viewer to keys, git, ignored files or out of the folder', async () => {
  const { place, server, read } = await startShowing();
  place.write('outside.txt', key);
  place.write('project/.gitignore', 'local.json\n');
  place.write('project/local.json', key);
  place.write('project/.env', `TOKEN=${key}\n`);
  place.write('project/certs/server.key', key);
  place.write('project/notes.md', `The token is ${key}.\n`);
  symlinkSync('.env', place.at('project/plain.txt'));
  symlinkSync('.git', place.at('project/history'));
  symlinkSync('a.txt', place.at('project/.npmrc'));
  symlinkSync('../outside.txt', place.at('project/link.txt'));
  symlinkSync('..', place.at('project/up'));
  linkSync(place.at('project/.env'), place.at('project/hard.txt'));
  execFileSync('mkfifo', [place.at('project/pipe')]);
  mkdirSync(place.at('project/folder'));
  const named = [
    '.env',
    './.env',
    '.ENV',
    'src/../.env',
    place.at('project/.env'),
    'plain.txt',
    '.npmrc',
    '.env.none',
    'certs/server.key',
    '.git/config',
    '.git/HEAD',
    'history/config',
    'local.json',
  ];
  const elsewhere = [
    '../outside.txt',
    place.at('outside.txt'),
    'link.txt',
    'up/outside.txt',
    '/etc/passwd',
    '/proc/self/environ',
    'pipe',
    'folder',
    '.',
    'none.txt',
    'a.txt\0',
  ];
  const paths = [...named, ...elsewhere];
  const answers = await Promise.all(paths.map((path) => read(path)));
  expect(answers.map((answer, at) => `${paths[at]}: ${codeOf(answer)}`)).toEqual([
    ...named.map((path) => `${path}: 422 REFUSED`),
    ...elsewhere.map((path) => `${path}: 404 NOT_FOUND`),
  ]);
  expect(JSON.stringify(answers)).not.toContain(key);
  // A name can hide what a file is: the value is redacted wherever it stands.
  expect([(await read('notes.md')).body['text'], (await read('hard.txt')).body['text']]).toEqual([
    'The token is [redacted].\n',
    'TOKEN=[redacted]\n',
  ]);
  expect([codeOf(await read('a.txt', null)), codeOf(await read('a.txt', undefined, 'ses_none'))]).toEqual([
    '401 UNAUTHORIZED',
    '404 SESSION_NOT_FOUND',
  ]);
  mkdirSync(place.at('bare'));
  place.write('bare/a.txt', 'one\n');
  const bare = idOf(await server.call('POST', '/v1/sessions', { cwd: place.at('bare') }));
  expect(codeOf(await read('a.txt', undefined, bare))).toBe('422 REFUSED');
});

test('[S1] a session that was imported has no folder, so none of its files is shown', async () => {
  const { place, server, read } = await startShowing();
  const own = idOf(await server.call('POST', '/v1/sessions', { cwd: place.at('project') }));
  const { text } = (await server.call('POST', `/v1/sessions/${own}/export`)).body;
  const other = await startShowing();
  const headers = { 'content-type': 'application/vnd.rondo.bundle' };
  expect((await other.server.call('POST', '/v1/sessions/import', text, { headers })).status).toBe(201);
  expect((await read('a.txt', undefined, own)).status).toBe(200);
  const paths = ['a.txt', other.place.at('project/a.txt'), place.at('project/a.txt')];
  const answers = await Promise.all(paths.map((path) => other.read(path, undefined, own)));
  expect(answers.map(codeOf)).toEqual(paths.map(() => '422 WORKTREE_ERROR'));
});
