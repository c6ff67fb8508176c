import { mkdirSync, rmSync, symlinkSync, truncateSync, unlinkSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import type { Checkpoint, Restored } from '../../src/worktrees/checkpoint.ts';
import {
  diffCheckpoint,
  dropCheckpoints,
  listCheckpoints,
  noteTouched,
  takeBefore,
  takeCheckpoint,
  type BeforeRequest,
  type TakeRequest,
} from '../../src/worktrees/checkpoints.ts';
import { restoreCheckpoint } from '../../src/worktrees/restore-checkpoint.ts';
import { createPlace, createRepository, type Place, createRepositoryPlace } from './worktrees-place.ts';

const take = async (place: Place, label: string, more: Partial<TakeRequest> = {}): Promise<Checkpoint> => {
  const taken = await takeCheckpoint({
    root: place.at('project'),
    session: 'ses_1',
    copies: place.at('copies'),
    label,
    at: 1_700_000_000_000,
    ...more,
  });
  if (taken.type === 'failed') throw new Error(taken.message);
  return taken.checkpoint;
};

let befores = 0;

/** Saves the current files and restores, as a session does. */
const restoreOver = async (request: Omit<BeforeRequest, 'label'>) => {
  befores += 1;
  const taken = await takeBefore({ ...request, label: `before-${befores}` });
  if (taken.type === 'failed') return taken;
  const before = taken.checkpoint;
  const restored = await restoreCheckpoint({ ...request, before });
  return restored.type === 'failed' ? restored : { ...restored, before };
};

const restore = async (place: Place, checkpoint: Checkpoint, root = 'project') => {
  const restored = await restoreOver({ root: place.at(root), copies: place.at('copies'), checkpoint });
  if (restored.type === 'failed') throw new Error(restored.message);
  return restored;
};

const lists = ({ restored, removed, blocked }: Extract<Restored, { type: 'restored' }>) => ({
  restored,
  removed,
  blocked,
});

/** Everything in a repository that a person would notice. */
const personal = (place: Place, name = 'project') => ({
  status: place.git(name, 'status', '--porcelain=v2', '--branch', '--untracked-files=all'),
  staged: place.git(name, 'diff', '--cached'),
  stash: place.git(name, 'stash', 'list'),
  branches: place.git(name, 'branch', '-a'),
  tags: place.git(name, 'tag'),
});

describe('a checkpoint in a repository', () => {
  test('[P12] holds tracked and untracked files, and a restore brings back every one of them', async () => {
    const place = createRepositoryPlace();
    place.write('project/.gitignore', 'out/\n');
    place.write('project/out/built.js', 'built');
    place.write('project/new file.txt', 'untracked');
    place.write('project/söub/ünï ✓.txt', 'names');
    place.write('project/run.sh', '#!/bin/sh\n', 0o755);
    symlinkSync('a.txt', place.at('project/link'));
    const was = place.files('project');
    const checkpoint = await take(place, 'turn-1');
    place.write('project/a.txt', 'changed\n');
    place.write('project/run.sh', '#!/bin/sh\n', 0o644);
    place.write('project/late/added.txt', 'late');
    place.write('project/out/built.js', 'built again');
    unlinkSync(place.at('project/link'));
    symlinkSync('nowhere', place.at('project/link'));
    rmSync(place.at('project/söub'), { recursive: true });
    const changed = place.files('project');

    const restored = await restore(place, checkpoint);

    expect(place.files('project')).toEqual({ ...was, 'out/built.js': 'built again' });
    expect(lists(restored)).toEqual({
      restored: ['a.txt', 'link', 'run.sh', 'söub/ünï ✓.txt'],
      removed: ['late/added.txt'],
      blocked: [],
    });
    await restore(place, restored.before);
    expect(place.files('project')).toEqual(changed);
  });

  test("never changes a person's index, HEAD, branches, stash or tags, and runs no hook", async () => {
    const place = createRepositoryPlace();
    place.write('project/a.txt', 'stashed\n');
    place.git('project', 'stash');
    place.write('project/a.txt', 'staged\n');
    place.write('project/b.txt', 'half staged\n');
    place.git('project', 'add', 'a.txt', 'b.txt');
    place.write('project/b.txt', 'and changed again\n');
    for (const hook of [
      'pre-commit',
      'reference-transaction',
      'post-index-change',
      'post-checkout',
      'post-commit',
    ])
      place.write(`project/.git/hooks/${hook}`, '#!/bin/sh\necho ran >> "$PWD/hook-ran"\n', 0o755);
    // The person's own git also runs a hook when reading, so its traces are removed again.
    const look = () => {
      const seen = personal(place);
      rmSync(place.at('project/hook-ran'), { force: true });
      return seen;
    };
    const was = look();

    const checkpoint = await take(place, 'turn-1');
    place.write('project/b.txt', 'lost otherwise\n');
    await restore(place, checkpoint);

    expect(Object.keys(place.files('project'))).toEqual(['a.txt', 'b.txt']);
    expect(look()).toEqual(was);
    expect(place.read('project/b.txt')).toBe('and changed again\n');
  });

  test('a label names one moment: using it again returns the same checkpoint', async () => {
    const place = createRepositoryPlace();
    const first = await take(place, 'turn 1/ä');
    place.write('project/a.txt', 'later\n');
    expect(await take(place, 'turn 1/ä', { at: 5 })).toEqual(first);
    const second = await take(place, 'turn-2', { at: 1_700_000_001_000 });
    expect(
      await listCheckpoints({ root: place.at('project'), copies: place.at('copies'), session: 'ses_1' }),
    ).toEqual([first, second]);
    expect(place.git('project', 'for-each-ref', '--format=%(refname)', 'refs/rondo')).toBe(
      'refs/rondo/ses_1/turn%201%2f%c3%a4\nrefs/rondo/ses_1/turn-2',
    );
    expect(
      await dropCheckpoints({ root: place.at('project'), copies: place.at('copies'), session: 'ses_1' }),
    ).toBe(2);
    expect(place.git('project', 'for-each-ref', 'refs/rondo')).toBe('');
  });

  test('sees a change that keeps size and time to the second', async () => {
    const place = createRepositoryPlace();
    for (let round = 0; round < 8; round += 1) {
      place.write('project/a.txt', `${round}\n`);
      const checkpoint = await take(place, `turn-${round}`);
      place.write('project/a.txt', `x\n`);
      await restore(place, checkpoint);
      expect(place.read('project/a.txt')).toBe(`${round}\n`);
    }
  });

  test('works in a repository without commits, and in one whose HEAD is detached', async () => {
    const place = createPlace();
    mkdirSync(place.at('project'));
    place.git('project', 'init', '-q');
    place.write('project/x', '1');
    const before = await take(place, 'empty');
    expect(before.kept).not.toHaveProperty('head');
    place.git('project', 'add', '-A');
    place.git('project', 'commit', '-q', '-m', 'c');
    place.git('project', 'checkout', '-q', '--detach');
    place.write('project/x', '2');
    await restore(place, before);
    expect(place.files('project')).toEqual({ x: '1' });
    expect(place.git('project', 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD');
  });

  test('keeps bytes as they are whatever filters and line ends the repository asks for', async () => {
    const place = createRepositoryPlace();
    place.git('project', 'config', 'filter.lfs.clean', 'false');
    place.git('project', 'config', 'filter.lfs.smudge', 'false');
    place.git('project', 'config', 'filter.lfs.required', 'true');
    place.git('project', 'config', 'core.autocrlf', 'true');
    place.write(
      'project/.gitattributes',
      '*.bin filter=lfs diff=lfs merge=lfs -text\n*.txt text eol=crlf ident\n',
    );
    place.write('project/pointer.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n');
    place.write('project/mixed.txt', 'one\r\ntwo\nthree $Id$\n');
    const was = place.files('project');
    const checkpoint = await take(place, 'turn-1');
    place.write('project/pointer.bin', 'really large');
    place.write('project/mixed.txt', 'gone');
    await restore(place, checkpoint);
    expect(place.files('project')).toEqual(was);
  });

  test('leaves out large files and repositories inside, reports it, and never harms them', async () => {
    const place = createRepositoryPlace();
    createRepository(place, 'other');
    place.git('project', 'submodule', 'add', '-q', place.at('other'), 'sub');
    createRepository(place, 'project/inner');
    place.write('project/large.bin', '');
    truncateSync(place.at('project/large.bin'), 20_000);
    const limits = { fileBytes: 10_000 };
    const checkpoint = await take(place, 'turn-1', { limits });
    expect(checkpoint.leftOut).toEqual([
      { path: 'inner', reason: 'repository-inside' },
      { path: 'large.bin', reason: 'too-large' },
      { path: 'sub', reason: 'repository-inside' },
    ]);
    // Small enough to save now, but its earlier content is unknown.
    place.write('project/large.bin', 'small');
    place.write('project/sub/a.txt', 'work in the submodule');
    place.write('project/inner/a.txt', 'work in the inner repository');
    const now = place.files('project');
    const restored = await restore(place, checkpoint);
    expect(lists(restored)).toEqual({ restored: [], removed: [], blocked: [] });
    expect(place.files('project')).toEqual(now);
  });

  test('[P2] a restore that was cut off is repeated with the same checkpoints, and what somebody put in the way since stays', async () => {
    const place = createRepositoryPlace();
    place.write('project/gone.txt', 'back');
    place.write('project/mine.txt', 'back');
    symlinkSync('a.txt', place.at('project/link'));
    const checkpoint = await take(place, 'turn-1');
    for (const name of ['gone.txt', 'mine.txt', 'link']) unlinkSync(place.at(`project/${name}`));
    place.write('project/a.txt', 'later');
    place.write('project/new.txt', 'later');
    const request = { root: place.at('project'), copies: '', checkpoint };
    const taken = await takeBefore({ ...request, label: 'before' });
    if (taken.type === 'failed') throw new Error(taken.message);
    // As far as the first attempt got.
    unlinkSync(place.at('project/new.txt'));
    place.write('project/gone.txt', 'back');
    symlinkSync('a.txt', place.at('project/link'));
    place.write('project/mine.txt', 'of somebody else');
    expect(await takeBefore({ ...request, label: 'before' })).toEqual(taken);
    expect(await restoreCheckpoint({ ...request, before: taken.checkpoint })).toEqual({
      type: 'restored',
      restored: ['a.txt', 'gone.txt', 'link'],
      removed: ['new.txt'],
      blocked: ['mine.txt'],
    });
    expect(place.files('project')).toEqual({
      'a.txt': 'one\n',
      'gone.txt': 'back',
      link: '-> a.txt',
      'mine.txt': 'of somebody else',
    });
  });

  test('[P2] restoring twice is restoring once, also where files became folders, and folders files or links', async () => {
    const place = createRepositoryPlace();
    place.write('project/file', 'one');
    place.write('project/folder/in.txt', 'one');
    place.write('project/other/in.txt', 'one');
    place.write('project/linked/in.txt', 'one');
    const request = { root: place.at('project'), copies: place.at('copies') };
    const then = place.files('project');
    const checkpoint = await take(place, 'turn-1');
    for (const name of ['file', 'folder', 'linked']) rmSync(place.at(`project/${name}`), { recursive: true });
    place.write('project/file/in.txt', 'two');
    place.write('project/folder', 'two');
    symlinkSync('other', place.at('project/linked'));
    const now = place.files('project');
    const goBack = async (to: Checkpoint, before: string) => {
      const taken = await takeBefore({ ...request, checkpoint: to, label: before });
      if (taken.type === 'failed') throw new Error(taken.message);
      const first = await restoreCheckpoint({ ...request, checkpoint: to, before: taken.checkpoint });
      const files = place.files('project');
      expect(await restoreCheckpoint({ ...request, checkpoint: to, before: taken.checkpoint })).toEqual(first);
      expect(place.files('project')).toEqual(files);
      return { before: taken.checkpoint, files };
    };
    const back = await goBack(checkpoint, 'before-1');
    expect(back.files).toEqual(then);
    expect((await goBack(back.before, 'before-2')).files).toEqual(now);
  });

  test('does not overwrite what has become too large to be kept', async () => {
    const place = createRepositoryPlace();
    const checkpoint = await take(place, 'turn-1');
    truncateSync(place.at('project/a.txt'), 20_000);
    const root = place.at('project');
    const restored = await restoreOver({ root, copies: '', checkpoint, limits: { fileBytes: 10_000 } });
    expect(restored).toMatchObject({ restored: [], removed: [], blocked: ['a.txt'] });
    expect(place.files('project')).toEqual({ 'a.txt': '20000 bytes' });
  });

  test('a file that is ignored since then is kept before it is written over', async () => {
    const place = createRepositoryPlace();
    const checkpoint = await take(place, 'turn-1');
    place.write('project/.gitignore', 'a.txt\n');
    place.git('project', 'rm', '-q', '--cached', 'a.txt');
    rmSync(place.at('project/.git/rondo'), { recursive: true });
    place.write('project/a.txt', 'ignored work\n');
    const restored = await restore(place, checkpoint);
    expect(place.files('project')).toEqual({ 'a.txt': 'one\n' });
    await restore(place, restored.before);
    expect(place.files('project')).toEqual({ '.gitignore': 'a.txt\n', 'a.txt': 'ignored work\n' });
  });

  test('an ignored file that was deleted since is named among the changes, and comes back', async () => {
    const place = createPlace();
    const root = createRepository(place);
    place.write('project/.gitignore', 'dist\n');
    const first = await take(place, 'first');
    place.write('project/dist/old/1.js', 'old\n');
    place.write('project/dist/new.js', 'new\n');
    await take(place, 'before-a-deletion', { ignored: ['dist/old/1.js', 'dist/new.js'], at: first.at + 1 });
    rmSync(place.at('project/dist/old'), { recursive: true });
    const changes = async () => diffCheckpoint({ root, copies: '', checkpoint: first, patch: true });
    expect(await changes()).toEqual([{ path: 'dist/old/1.js', status: 'deleted' }]);
    place.write('project/dist/new.js', 'newer\n');
    expect(await changes()).toMatchObject([
      { path: 'dist/new.js', status: 'modified', added: 1, removed: 1 },
      { path: 'dist/old/1.js', status: 'deleted' },
    ]);
    expect(lists(await restore(place, first))).toEqual({
      restored: ['dist/old/1.js', 'dist/new.js'],
      removed: ['dist/new.js'],
      blocked: [],
    });
    expect(place.files('project')).toMatchObject({ 'dist/old/1.js': 'old\n', 'dist/new.js': 'new\n' });
    expect(await changes()).toEqual([]);
  });

  test('files that became folders, and folders that became files, change back', async () => {
    const place = createRepositoryPlace();
    place.write('project/d/x', 'in a folder');
    const checkpoint = await take(place, 'turn-1');
    rmSync(place.at('project/d'), { recursive: true });
    rmSync(place.at('project/a.txt'));
    place.write('project/d', 'a file now');
    place.write('project/a.txt/y', 'a folder now');
    await restore(place, checkpoint);
    expect(place.files('project')).toEqual({ 'a.txt': 'one\n', 'd/x': 'in a folder' });
  });

  test('a folder with ignored files where a file was is left, and said', async () => {
    const place = createRepositoryPlace();
    place.write('project/.gitignore', '*.log\n');
    const checkpoint = await take(place, 'turn-1');
    rmSync(place.at('project/a.txt'));
    place.write('project/a.txt/keep.log', 'precious');
    const restored = await restore(place, checkpoint);
    expect(lists(restored)).toEqual({ restored: [], removed: [], blocked: ['a.txt'] });
    expect(place.read('project/a.txt/keep.log')).toBe('precious');
  });

  test('of a folder inside the repository touches nothing outside that folder', async () => {
    const place = createRepositoryPlace();
    place.write('project/pack age/in.txt', '1');
    const checkpoint = await take(place, 'turn-1', { root: place.at('project/pack age') });
    place.write('project/pack age/in.txt', '2');
    place.write('project/pack age/more.txt', '2');
    place.write('project/a.txt', 'mine');
    const restored = await restore(place, checkpoint, 'project/pack age');
    expect(lists(restored)).toEqual({ restored: ['in.txt'], removed: ['more.txt'], blocked: [] });
    expect(place.files('project')).toEqual({ 'a.txt': 'mine', 'pack age/in.txt': '1' });
    const wrong = await restoreOver({ root: place.at('project'), copies: '', checkpoint });
    expect(wrong).toEqual({
      type: 'failed',
      message: `Can't restore checkpoint turn-1 of session ses_1: it is of the folder pack age of this repository, not of ${place.at('project')}.`,
    });
  });

  test('says what changed since, and between two', async () => {
    const place = createRepositoryPlace();
    place.write('project/moved.txt', 'a\nb\nc\nd\ne\n');
    const root = place.at('project');
    const first = await take(place, 'turn-1');
    place.write('project/a.txt', 'one\ntwo\n');
    place.git('project', 'mv', '-f', 'a.txt', 'a.txt.tmp');
    place.git('project', 'mv', '-f', 'a.txt.tmp', 'a.txt');
    rmSync(place.at('project/moved.txt'));
    place.write('project/ne w.txt', 'a\nb\nc\nd\ne\n');
    place.write('project/binary', Buffer.from([0, 1, 2]));
    const second = await take(place, 'turn-2');
    place.write('project/a.txt', 'three\n');
    expect(await diffCheckpoint({ root, copies: '', checkpoint: first, to: second })).toEqual([
      { path: 'a.txt', status: 'modified', added: 1, removed: 0 },
      { path: 'binary', status: 'added' },
      { path: 'ne w.txt', from: 'moved.txt', status: 'renamed', added: 0, removed: 0 },
    ]);
    const changes = await diffCheckpoint({ root, copies: '', checkpoint: second, patch: true });
    expect(changes).toEqual([
      {
        path: 'a.txt',
        status: 'modified',
        added: 1,
        removed: 2,
        patch: expect.stringContaining('\n-one\n-two\n+three\n') as string,
      },
    ]);
  });

  test('many at the same moment do not disturb each other', async () => {
    const place = createRepositoryPlace();
    const all = await Promise.all(Array.from({ length: 6 }, (_, index) => take(place, `c-${index}`)));
    const trees = new Set(
      all.map(({ kept }) =>
        kept.type === 'git' ? place.git('project', 'rev-parse', `${kept.commit}^{tree}`) : '',
      ),
    );
    expect(trees).toEqual(new Set([place.git('project', 'rev-parse', 'HEAD^{tree}')]));
  });

  test('outlives the garbage collection that took what its cache knew', async () => {
    const place = createRepositoryPlace();
    place.write('project/only.txt', 'in checkpoints only');
    await take(place, 'turn-1');
    await dropCheckpoints({ root: place.at('project'), copies: '', session: 'ses_1' });
    place.git('project', 'gc', '-q', '--prune=now');
    const again = await take(place, 'turn-2');
    rmSync(place.at('project/only.txt'));
    await restore(place, again);
    expect(place.read('project/only.txt')).toBe('in checkpoints only');
  });

  test('beyond the limit no checkpoint is taken, with a reason', async () => {
    const place = createRepositoryPlace();
    const taken = await takeCheckpoint({
      root: place.at('project'),
      session: 'ses_1',
      copies: '',
      label: 'turn-1',
      limits: { totalBytes: 3 },
    });
    expect(taken).toEqual({
      type: 'failed',
      message: `Can't take checkpoint turn-1 of session ses_1: Can't checkpoint ${place.at('project')}: 4 bytes are new or changed, which exceeds the limit. Add generated files to .gitignore.`,
    });
  });

  test('works in a separate work tree and with SHA-256 names', async () => {
    const place = createPlace();
    mkdirSync(place.at('main'));
    place.git('main', 'init', '-q', '--object-format=sha256');
    place.write('main/a', '1');
    place.git('main', 'add', '-A');
    place.git('main', 'commit', '-q', '-m', 'c');
    place.git('main', 'worktree', 'add', '-q', place.at('project'));
    place.write('project/b', '2');
    const checkpoint = await take(place, 'turn-1');
    rmSync(place.at('project/b'));
    rmSync(place.at('project/a'));
    await restore(place, checkpoint);
    expect(place.files('project')).toEqual({ a: '1', b: '2' });
    place.git('main', 'worktree', 'remove', '--force', place.at('project'));
    expect(place.git('main', 'for-each-ref', '--format=%(refname)', 'refs/rondo')).toContain(
      'refs/rondo/ses_1/turn-1',
    );
  });
});

describe('a checkpoint without a repository', () => {
  const touch = async (place: Place, name: string) => {
    const root = place.at('project');
    expect(await noteTouched({ root, copies: place.at('copies'), session: 'ses_1', path: name })).toBeUndefined();
  };

  test('[P12] brings back the files that were noted before they were touched', async () => {
    const place = createPlace();
    place.write('project/a.txt', 'one');
    place.write('project/run.sh', 'x', 0o755);
    place.write('project/gone.txt', 'to be removed');
    symlinkSync('a.txt', place.at('project/link'));
    const was = place.files('project');
    const first = await take(place, 'turn-1');
    for (const name of ['a.txt', 'run.sh', 'gone.txt', 'link', 'ünï/new.txt']) await touch(place, name);
    place.write('project/a.txt', 'two');
    place.write('project/run.sh', 'y', 0o644);
    place.write('project/ünï/new.txt', 'new');
    rmSync(place.at('project/gone.txt'));
    rmSync(place.at('project/link'));
    const second = await take(place, 'turn-2');
    await touch(place, 'a.txt');
    place.write('project/a.txt', 'three');
    await touch(place, 'a.txt');
    place.write('project/a.txt', 'four');
    const now = place.files('project');

    expect(
      await diffCheckpoint({ root: place.at('project'), copies: place.at('copies'), checkpoint: first }),
    ).toEqual([
      { path: 'a.txt', status: 'modified' },
      { path: 'gone.txt', status: 'deleted' },
      { path: 'link', status: 'deleted' },
      { path: 'run.sh', status: 'modified' },
      { path: 'ünï/new.txt', status: 'added' },
    ]);
    const restored = await restore(place, first);
    expect(place.files('project')).toEqual(was);
    expect(lists(restored)).toEqual({
      restored: ['a.txt', 'gone.txt', 'link', 'run.sh'],
      removed: ['ünï/new.txt'],
      blocked: [],
    });
    await restore(place, second);
    expect(place.read('project/a.txt')).toBe('two');
    await restore(place, restored.before);
    expect(place.files('project')).toEqual(now);
  });

  test('the first note of a checkpoint stays, however many are made at once', async () => {
    const place = createPlace();
    place.write('project/a.txt', 'one');
    const checkpoint = await take(place, 'turn-1');
    await Promise.all(Array.from({ length: 10 }, () => touch(place, 'a.txt')));
    place.write('project/a.txt', 'two');
    await Promise.all(Array.from({ length: 10 }, () => touch(place, place.at('project/a.txt'))));
    await restore(place, checkpoint);
    expect(place.files('project')).toEqual({ 'a.txt': 'one' });
  });

  test('files that are too large are neither kept nor overwritten, and an outside path is reported', async () => {
    const place = createPlace();
    place.write('project/a.txt', 'one');
    const checkpoint = await take(place, 'turn-1');
    await touch(place, 'a.txt');
    truncateSync(place.at('project/a.txt'), 20_000);
    const root = place.at('project');
    const copies = place.at('copies');
    const restored = await restoreOver({ root, copies, checkpoint, limits: { fileBytes: 10_000 } });
    expect(restored).toMatchObject({ restored: [], removed: [], blocked: ['a.txt'] });
    expect(await noteTouched({ root, copies, session: 'ses_1', path: '../b' })).toEqual({
      type: 'failed',
      message: `../b is outside ${root}: it is not kept for session ses_1.`,
    });
    expect(await dropCheckpoints({ root, copies, session: 'ses_1' })).toBe(2);
    expect(place.files('copies')).toEqual({});
  });

  test('[S8] a restore neither writes nor deletes behind a link that replaced a folder', async () => {
    const place = createPlace();
    place.write('home/keys', "a person's");
    place.write('project/sub/keys', "an agent's");
    place.write('project/real/a.txt', 'one');
    symlinkSync('real', place.at('project/inside'));
    const first = await take(place, 'turn-1');
    for (const name of ['sub/keys', 'sub/new', 'dangling/x', 'inside/a.txt']) await touch(place, name);
    place.write('project/real/a.txt', 'two');
    rmSync(place.at('project/sub'), { recursive: true });
    symlinkSync(place.at('home'), place.at('project/sub'));
    symlinkSync(place.at('home/later'), place.at('project/dangling'));
    place.write('home/new', 'made since');
    expect(lists(await restore(place, first))).toEqual({
      restored: ['inside/a.txt'],
      removed: [],
      blocked: ['dangling/x', 'sub/keys', 'sub/new'],
    });
    expect(place.files('home')).toEqual({ keys: "a person's", new: 'made since' });
    expect(place.read('project/real/a.txt')).toBe('one');
  });

  test('one that was kept in a repository cannot be used without it', async () => {
    const place = createRepositoryPlace();
    const checkpoint = await take(place, 'turn-1');
    rmSync(place.at('project/.git'), { recursive: true });
    const restored = await restoreOver({
      root: place.at('project'),
      copies: place.at('copies'),
      checkpoint,
    });
    expect(restored).toEqual({
      type: 'failed',
      message: `Checkpoint turn-1 is in a git repository, and ${place.at('project')} is in none.`,
    });
  });
});
