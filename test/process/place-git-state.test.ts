/** What git notes beside commits and files, when a session moves to another home or pushes, on real git. */
import {
  chmodSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { branchesOf } from '../fixtures/bare-remote.ts';
import { createPlaceScene as createScene, expectSaved, id, read, unsavedSince } from '../fixtures/place-scene.ts';

/** A clone in the middle of a rebase that found a conflict. */
async function amidRebase() {
  const scene = createScene();
  const { remote, git, home } = scene;
  const places = home('a');
  const opened = await places.open(id, { url: remote });
  const { cwd } = opened;
  const commitAs = (text: string) => {
    writeFileSync(path.join(cwd, 'a.txt'), `${text}\n`);
    git(cwd, 'commit', '--quiet', '-am', text);
  };
  git(cwd, 'checkout', '--quiet', '-b', 'theirs');
  commitAs('theirs');
  git(cwd, 'checkout', '--quiet', opened.place.branch);
  commitAs('ours');
  expect(() => git(cwd, 'rebase', '--quiet', 'theirs')).toThrow(/could not apply/);
  return { ...scene, places, opened };
}

test('[C154] files of all kinds move: executables, links, renamed, staged and oddly named ones', async () => {
  const { remote, git, home, stateOf } = createScene();
  const a = home('a');
  const opened = await a.open(id, { url: remote });
  const at = (name: string) => path.join(opened.cwd, name);
  git(opened.cwd, 'mv', 'a.txt', 'renamed.txt');
  writeFileSync(at('run.sh'), '#!/bin/sh\n');
  chmodSync(at('run.sh'), 0o755);
  symlinkSync('renamed.txt', at('link'));
  symlinkSync('/nowhere', at('dangling'));
  writeFileSync(at('staged.txt'), 'staged\n');
  git(opened.cwd, 'add', 'staged.txt');
  writeFileSync(at('staged.txt'), 'newer\n');
  mkdirSync(at('ignored'));
  writeFileSync(at('ignored/forced'), 'forced\n');
  git(opened.cwd, 'add', '--force', 'ignored/forced');
  writeFileSync(at('-dash'), '');
  writeFileSync(at('two\nlines'), 'x\r\ny\n');
  const saved = expectSaved(await a.save(stateOf(opened)));
  const moved = await home('b').bring(stateOf(opened, { saved }), 2);
  const there = moved?.cwd ?? '';
  expect({
    missing: moved?.missing.slice(2),
    status: git(there, 'status', '--porcelain', '-z').split('\0').slice(0, -1),
    isExecutable: (statSync(path.join(there, 'run.sh')).mode & 0o100) !== 0,
    links: ['link', 'dangling'].map((name) => readlinkSync(path.join(there, name))),
    texts: ['staged.txt', 'ignored/forced', 'two\nlines', 'renamed.txt'].map((name) => read(there, name)),
  }).toEqual({
    missing: ['what was staged: the files are there, unstaged'],
    status: [
      'D a.txt',
      ...['-dash', 'dangling', 'link', 'renamed.txt', 'run.sh', 'staged.txt', 'two\nlines'].map(
        (name) => `?? ${name}`,
      ),
    ],
    isExecutable: true,
    links: ['renamed.txt', '/nowhere'],
    texts: ['newer\n', 'forced\n', 'x\r\ny\n', 'one\n'],
  });
});

test('[C154][P12] stashed work moves with the session, in its order, and a clone that holds some is not deleted', async () => {
  const { remote, git, home, stateOf } = createScene();
  const a = home('a');
  const opened = await a.open(id, { url: remote });
  for (const text of ['older', 'newer']) {
    writeFileSync(path.join(opened.cwd, 'a.txt'), `${text}\n`);
    git(opened.cwd, 'stash', 'push', '--quiet', '-m', text);
  }
  const saved = expectSaved(await a.save(stateOf(opened)));
  const b = home('b');
  const moved = await b.bring(stateOf(opened, { saved }), 2);
  const there = moved?.cwd ?? '';
  const names = git(there, 'stash', 'list', '--format=%gs').split('\n');
  expect(names.map((name) => name.split(': ')[1])).toEqual(['newer', 'older']);
  git(there, 'stash', 'pop', '--quiet');
  expect(read(there, 'a.txt')).toBe('newer\n');
  git(there, 'checkout', '--quiet', '.');
  await b.forget(id);
  expect(git(there, 'stash', 'list', '--format=%gs')).toContain('older');
  git(there, 'stash', 'drop', '--quiet');
  await b.forget(id);
  expect(() => statSync(there)).toThrow(/ENOENT/);
});

test('[C154] a moved session learns of the rebase that it was in the middle of, and its conflicts are not pushed', async () => {
  const { remote, git, home, stateOf, places, opened } = await amidRebase();
  const saved = expectSaved(await places.save(stateOf(opened)));
  const b = home('b');
  const moved = await b.bring(stateOf(opened, { saved }), 2);
  const { cwd: there = '', home: newHome = '' } = moved ?? {};
  expect(moved?.missing).toEqual([
    unsavedSince,
    'files that git ignores, such as installed packages',
    'the rebase that was in progress',
    'a.txt (in conflict)',
    'what was staged: the files are there, unstaged',
  ]);
  expect(read(there, 'a.txt')).toContain('<<<<<<<');
  expect(git(there, 'status', '--porcelain')).toBe('UU a.txt');
  const state = stateOf({ cwd: there, place: { ...opened.place, home: newHome } }, { saved });
  expect(await b.push(state)).toEqual({
    type: 'failed',
    message: `a.txt is in conflict in ${there}, so nothing is committed or pushed. Send a prompt to finish or abort it.`,
  });
  writeFileSync(path.join(there, 'a.txt'), 'both\n');
  git(there, 'add', 'a.txt');
  const { branch = '' } = (await b.push(state)) as { readonly branch?: string };
  expect(git(remote, 'show', `${branch}:a.txt`)).toBe('both');
});

test('[C154] nothing is committed or pushed while a rebase is unfinished', async () => {
  const { remote, git, stateOf, places, opened } = await amidRebase();
  const { cwd } = opened;
  expect(await places.push(stateOf(opened))).toEqual({
    type: 'failed',
    message: `A rebase is unfinished in ${cwd}, so nothing is committed or pushed. Send a prompt to finish or abort it.`,
  });
  expect(branchesOf(remote)).toEqual(['main']);
  expect(git(cwd, 'status')).toContain('rebase in progress');
  git(cwd, 'rebase', '--abort');
  expect(await places.push(stateOf(opened))).toMatchObject({ branch: 'rondo/fix-the-list-etest1' });
  expect(git(remote, 'show', 'rondo/fix-the-list-etest1:a.txt')).toBe('ours');
});

test('[C154] a branch with files that only Git LFS on this machine has is not pushed', async () => {
  const { remote, git, home, stateOf } = createScene();
  const a = home('a');
  const opened = await a.open(id, { url: remote });
  const object = 'ab'.repeat(32);
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${object}\nsize 7\n`;
  writeFileSync(path.join(opened.cwd, 'big.bin'), pointer);
  const kept = path.join(opened.cwd, '.git/lfs/objects/ab/ab');
  mkdirSync(kept, { recursive: true });
  writeFileSync(path.join(kept, object), 'content');
  expect(await a.push(stateOf(opened))).toEqual({
    type: 'failed',
    message: `big.bin is kept by Git LFS and was never uploaded, so the branch isn't pushed. Push it yourself: git -C ${opened.cwd} push origin HEAD:rondo/fix-the-list-etest1`,
  });
  // A pointer to what the remote has.
  unlinkSync(path.join(kept, object));
  expect(await a.push(stateOf(opened))).toMatchObject({ commit: git(opened.cwd, 'rev-parse', 'HEAD') });
});

test('[C154] [S21] a result that is too large to be searched for secrets is not pushed', async () => {
  const { remote, home, stateOf } = createScene();
  const a = home('a');
  const opened = await a.open(id, { url: remote });
  writeFileSync(path.join(opened.cwd, 'zeros.bin'), '');
  truncateSync(path.join(opened.cwd, 'zeros.bin'), 101_000_000);
  expect(await a.push(stateOf(opened))).toEqual({
    type: 'failed',
    message: `The branch can't be searched for secrets (its changes take more than 100 MB), so it isn't pushed. Push it yourself: git -C ${opened.cwd} push origin HEAD:rondo/fix-the-list-etest1`,
  });
  expect(branchesOf(remote)).toEqual(['main']);
});

test('[C154] a clone has the tags of its remote', async () => {
  const { remote, work, git, home } = createScene();
  git(work, 'tag', 'v1.0.0');
  git(work, 'push', '--quiet', 'origin', 'v1.0.0');
  const { cwd } = await home('a').open(id, { url: remote });
  expect(git(cwd, 'describe', '--tags')).toBe('v1.0.0');
});

test('[C154][P12] a move that died half way is done again, and every older copy is named', async () => {
  const { root, remote, home, stateOf } = createScene();
  const a = home('a');
  const opened = await a.open(id, { url: remote });
  const saved = expectSaved(await a.save(stateOf(opened)));
  writeFileSync(path.join(opened.cwd, 'late.txt'), 'never saved\n');
  const elsewhere = stateOf({ ...opened, place: { ...opened.place, home: 'home_other' } }, { saved });
  await a.bring(elsewhere, 7);
  // As if it died before its clone was complete.
  const session = path.join(root, 'a/places', id);
  rmSync(path.join(session, 'remote'), { recursive: true });
  mkdirSync(path.join(session, 'remote.1234abcd/.git'), { recursive: true });
  const again = await a.bring(elsewhere, 8);
  const aside = `${session}-before-7`;
  expect(again?.missing.slice(2)).toEqual([`an older copy from this machine is in ${aside}`]);
  expect(read(aside, 'remote/late.txt')).toBe('never saved\n');
  await a.forget(id);
  expect([session, aside].map((folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined)).toEqual([
    false,
    true,
  ]);
});
