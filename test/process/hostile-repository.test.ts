/** What a hostile repository, or an agent that it misleads, tries through a session's clone, on real git. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { createPlaceScene as createScene, expectSaved, id, read } from '../fixtures/place-scene.ts';

/** A repository of the same person that the session has nothing to do with. */
function privateRepository({ root, git }: ReturnType<typeof createScene>): string {
  const folder = path.join(root, 'private');
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(path.join(folder, 'diary.txt'), 'my diary\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'private');
  return folder;
}

describe('[C154] [S3] [S8] a hostile repository', () => {
  test.each([
    ['HEAD', 'objects/info/alternates'],
    ['refs/heads/taken', 'objects/info/alternates'],
    ['refs/heads', 'objects/info/alternates'],
    ['refs/heads/taken', 'objects/pack'],
    ['refs/heads/taken', 'objects/ab'],
  ])('can’t borrow history from another repository through links at %s and %s', async (ref, objects) => {
    const scene = createScene();
    const { remote, git, home, stateOf } = scene;
    const taken = privateRepository(scene);
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    writeFileSync(path.join(opened.cwd, 'a.txt'), 'changed\n');
    const inside = path.join(opened.cwd, '.git');
    if (objects.endsWith('alternates')) {
      writeFileSync(path.join(inside, objects), `${path.join(taken, '.git/objects')}\n`, { flag: 'a' });
    } else {
      rmSync(path.join(inside, objects), { recursive: true, force: true });
      symlinkSync(path.join(taken, '.git', objects), path.join(inside, objects));
    }
    rmSync(path.join(inside, ref), { recursive: true, force: true });
    const target = ref === 'refs/heads' ? 'refs/heads' : 'refs/heads/main';
    symlinkSync(path.join(taken, '.git', target), path.join(inside, ref));
    const problem = { type: 'failed', message: expect.stringMatching(/leads out of the clone/) };
    expect(await a.save(stateOf(opened))).toEqual(problem);
    expect(await a.push(stateOf(opened))).toEqual(problem);
    expect(git(remote, 'branch', '--list', 'rondo/*')).toBe('');
  });

  test('can’t put another git folder in the place of its clone’s', async () => {
    const scene = createScene();
    const { remote, git, home, stateOf } = scene;
    const taken = privateRepository(scene);
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    const at = (...parts: readonly string[]) => path.join(opened.cwd, ...parts);
    // As a linked worktree of a repository among its files.
    renameSync(at('.git'), at('x'));
    mkdirSync(at('x/worktrees/w'), { recursive: true });
    symlinkSync(path.join(taken, '.git/refs/heads/main'), at('x/refs/heads/taken'));
    writeFileSync(at('x/objects/info/alternates'), `${path.join(taken, '.git/objects')}\n`, { flag: 'a' });
    writeFileSync(at('x/worktrees/w/HEAD'), 'ref: refs/heads/taken\n');
    writeFileSync(at('x/worktrees/w/commondir'), '../..\n');
    writeFileSync(at('x/worktrees/w/gitdir'), `${at('.git')}\n`);
    writeFileSync(at('.git'), 'gitdir: x/worktrees/w\n');
    expect(git(opened.cwd, 'show', 'HEAD:diary.txt')).toBe('my diary');
    const problem = { type: 'failed', message: expect.stringMatching(/leads out of the clone/) };
    expect(await a.save(stateOf(opened))).toEqual(problem);
    expect(await a.push(stateOf(opened))).toEqual(problem);
    expect(git(remote, 'branch', '--list', 'rondo/*')).toBe('');
  });

  test.each(['.git', '.git/HEAD'])(
    'can’t make Rondo save or commit to a repository around its clone by deleting %s',
    async (name) => {
      const { root, remote, git, home, stateOf } = createScene();
      writeFileSync(path.join(root, 'settings'), 'mine\n');
      git(root, 'init', '--quiet', '--initial-branch=main');
      git(root, 'add', 'settings');
      git(root, 'commit', '--quiet', '-m', 'my settings');
      const a = home('a');
      const opened = await a.open(id, { url: remote });
      rmSync(path.join(opened.cwd, name), { recursive: true });
      const problem = { type: 'failed', message: expect.stringMatching(/is gone or no longer a git repository/) };
      expect(await a.save(stateOf(opened))).toEqual(problem);
      expect(await a.push(stateOf(opened))).toEqual(problem);
      expect(git(root, 'log', '--format=%s')).toBe('my settings');
      expect(git(remote, 'branch', '--list', 'rondo/*')).toBe('');
    },
  );

  test('[P12] a clone without its git folder is not deleted because a repository around it is clean', async () => {
    const { root, remote, git, home } = createScene();
    writeFileSync(path.join(root, '.gitignore'), '*\n');
    git(root, 'init', '--quiet', '--initial-branch=main');
    git(root, 'add', '--force', '.gitignore');
    git(root, 'commit', '--quiet', '-m', 'my settings');
    git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
    const a = home('a');
    const { cwd } = await a.open(id, { url: remote });
    rmSync(path.join(cwd, '.git'), { recursive: true });
    await a.forget(id);
    expect(existsSync(path.join(cwd, 'a.txt'))).toBe(true);
  });

  test('can’t make a folder outside of its clone the session’s', async () => {
    const { root, remote, work, git, home } = createScene();
    symlinkSync(root, path.join(work, 'packages'));
    symlinkSync('docs', path.join(work, 'manual'));
    git(work, 'add', '.');
    git(work, 'commit', '--quiet', '-m', 'links');
    git(work, 'push', '--quiet', 'origin', 'main');
    await expect(home('a').open(id, { url: remote, folder: 'packages' })).rejects.toThrow(
      /has no folder packages, or that leads out of the repository/,
    );
    await expect(home('b').open(id, { url: remote, folder: 'a.txt' })).rejects.toThrow(/has no folder a\.txt/);
    expect((await home('c').open(id, { url: remote, folder: 'manual' })).cwd).toMatch(/remote\/docs$/);
  });

  test('[S21] can’t hide a secret from the look before a push', async () => {
    const { remote, git, home, stateOf } = createScene();
    const key = 'sk-secret-1234567890';
    const tries: readonly ((cwd: string) => void)[] = [
      // In a commit that a later one takes back.
      (cwd) => {
        writeFileSync(path.join(cwd, 'key.txt'), `${key}\n`);
        git(cwd, 'add', '.');
        git(cwd, 'commit', '--quiet', '-m', 'add');
        git(cwd, 'rm', '--quiet', 'key.txt');
        git(cwd, 'commit', '--quiet', '-m', 'take back');
      },
      (cwd) => {
        writeFileSync(path.join(cwd, '.gitattributes'), '*.txt -diff\n');
        writeFileSync(path.join(cwd, 'key.txt'), `${key}\n`);
      },
      (cwd) => writeFileSync(path.join(cwd, 'key.bin'), `\0\0\n${key}\n\0`),
      (cwd) => git(cwd, 'commit', '--quiet', '--allow-empty', '-m', `use ${key}`),
      (cwd) => writeFileSync(path.join(cwd, `${key}.txt`), ''),
    ];
    for (const [index, attempt] of tries.entries()) {
      const a = home(`a${index}`);
      const opened = await a.open(id, { url: remote });
      attempt(opened.cwd);
      expect({ index, answer: await a.push(stateOf(opened)) }).toEqual({
        index,
        answer: { type: 'failed', message: expect.stringContaining('looks like a secret') },
      });
    }
    expect(git(remote, 'branch', '--list', 'rondo/*')).toBe('');
  });

  test('[P12] can’t make a restore write through its links', async () => {
    const { root, remote, work, git, home, stateOf } = createScene();
    const outside = path.join(root, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, path.join(work, 'out'));
    git(work, 'add', '.');
    git(work, 'commit', '--quiet', '-m', 'link');
    git(work, 'push', '--quiet', 'origin', 'main');
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    unlinkSync(path.join(opened.cwd, 'out'));
    mkdirSync(path.join(opened.cwd, 'out'));
    writeFileSync(path.join(opened.cwd, 'out', 'planted'), 'x\n');
    const saved = expectSaved(await a.save(stateOf(opened)));
    const moved = await home('b').bring(stateOf(opened, { saved }), 2);
    expect(readdirSync(outside)).toEqual([]);
    expect(read(moved?.cwd ?? '', 'out/planted')).toBe('x\n');
  });

  test('starts nothing when it is cloned, saved, restored and pushed', async () => {
    const { root, remote, work, git, home, stateOf } = createScene();
    const marker = path.join(root, 'ran');
    const run = `touch ${marker}`;
    writeFileSync(path.join(work, '.gitattributes'), '* filter=evil diff=evil merge=evil\n');
    writeFileSync(
      path.join(work, '.gitmodules'),
      `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "${run}"\n\tupdate = !${run}\n`,
    );
    writeFileSync(path.join(work, '.lfsconfig'), `[lfs "customtransfer.x"]\n\tpath = ${marker}\n`);
    mkdirSync(path.join(work, '.githooks'));
    for (const hook of ['post-checkout', 'pre-commit', 'pre-push', 'post-merge', 'reference-transaction']) {
      writeFileSync(path.join(work, '.githooks', hook), `#!/bin/sh\n${run}\n`, { mode: 0o755 });
    }
    git(work, 'add', '.');
    git(work, 'update-index', '--add', '--cacheinfo', `160000,${git(work, 'rev-parse', 'HEAD')},x`);
    git(work, 'commit', '--quiet', '-m', 'hostile');
    git(work, 'push', '--quiet', 'origin', 'main');
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    writeFileSync(path.join(opened.cwd, 'a.txt'), 'changed\n');
    const saved = expectSaved(await a.save(stateOf(opened)));
    await a.push(stateOf(opened));
    await home('b').bring(stateOf(opened, { saved }), 2);
    expect(existsSync(marker)).toBe(false);
  });
});
