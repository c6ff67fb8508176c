/** Repositories as places of sessions, on real git: clone, save, restore in another home, push. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import type { SessionId } from '../../src/kernel/ids.ts';
import { sharedObjects } from '../../src/git/shared-objects.ts';
import { createPlaceScene as createScene, expectSaved, id, read, unsavedSince } from '../fixtures/place-scene.ts';

describe('[C154] a session that works on a repository', () => {
  test('has its own clone on its own branch, in the requested folder and at the requested commit', async () => {
    const { root, remote, git, home } = createScene();
    const opened = await home('a').open(id, { url: remote, ref: 'main', folder: 'docs' }, 'Fix the list');
    expect(opened).toEqual({
      cwd: path.join(root, 'a/places', id, 'remote', 'docs'),
      place: {
        url: `file://${remote}`,
        ref: 'main',
        base: git(remote, 'rev-parse', 'main'),
        branch: 'rondo/fix-the-list-etest1',
        folder: 'docs',
        push: true,
        home: expect.stringMatching(/^home_[0-9a-f]{24}$/),
      },
    });
    expect(git(opened.cwd, 'symbolic-ref', '--short', 'HEAD')).toBe('rondo/fix-the-list-etest1');
    expect(read(opened.cwd, 'b.txt')).toBe('two\n');
  });

  test('continues in another home with its commits, branches and uncommitted files', async () => {
    const { root, remote, git, home, stateOf } = createScene();
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    const { cwd } = opened;
    writeFileSync(path.join(cwd, 'a.txt'), 'committed\n');
    git(cwd, 'commit', '--quiet', '-am', 'second');
    git(cwd, 'branch', 'idea');
    writeFileSync(path.join(cwd, 'a.txt'), 'uncommitted\r\n');
    writeFileSync(path.join(cwd, 'new file.txt'), 'new\n');
    rmSync(path.join(cwd, 'docs/b.txt'));
    mkdirSync(path.join(cwd, 'ignored'));
    writeFileSync(path.join(cwd, 'ignored/x'), 'x');
    const saved = expectSaved(await a.save(stateOf(opened)));
    expect(await a.save(stateOf(opened))).toBeUndefined();

    const b = home('b');
    const moved = await b.bring(stateOf(opened, { saved }), 2);
    expect(moved).toEqual({
      cwd: path.join(root, 'b/places', id, 'remote'),
      home: expect.stringMatching(/^home_/),
      missing: [unsavedSince, 'files that git ignores, such as installed packages'],
    });
    const there = moved?.cwd ?? '';
    expect({
      a: read(there, 'a.txt'),
      fresh: read(there, 'new file.txt'),
      isDeleted: !existsSync(path.join(there, 'docs/b.txt')),
      hasIgnored: existsSync(path.join(there, 'ignored')),
      status: git(there, 'status', '--porcelain')
        .split('\n')
        .map((line) => line.trim()),
      branches: git(there, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n'),
      head: git(there, 'log', '-1', '--format=%s'),
    }).toEqual({
      a: 'uncommitted\r\n',
      fresh: 'new\n',
      isDeleted: true,
      hasIgnored: false,
      status: ['M a.txt', 'D docs/b.txt', '?? "new file.txt"'],
      branches: ['idea', opened.place.branch],
      head: 'second',
    });
    expect(
      await b.bring({ ...stateOf(opened, { saved }), place: { ...opened.place, home: moved?.home ?? '' } }, 3),
    ).toBe(undefined);
  });

  test('[P12] a clone that another node overtook is moved aside, not overwritten', async () => {
    const { remote, home, stateOf } = createScene();
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    const saved = expectSaved(await a.save(stateOf(opened)));
    writeFileSync(path.join(opened.cwd, 'late.txt'), 'never saved\n');
    const back = await a.bring(
      stateOf({ ...opened, place: { ...opened.place, home: 'home_other' } }, { saved }),
      7,
    );
    const aside = path.join(path.dirname(path.dirname(opened.cwd)), `${id}-before-7`);
    expect(back?.missing.at(-1)).toBe(`an older copy from this machine is in ${aside}`);
    expect(read(aside, 'remote', 'late.txt')).toBe('never saved\n');
    expect(existsSync(path.join(opened.cwd, 'late.txt'))).toBe(false);
  });

  test('commits what is left and pushes its branch once, then again with more', async () => {
    const { remote, git, home, stateOf } = createScene();
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    expect(await a.push(stateOf(opened))).toBeUndefined();
    writeFileSync(path.join(opened.cwd, 'a.txt'), 'changed\n');
    const pushed = await a.push(stateOf(opened));
    const branch = 'rondo/fix-the-list-etest1';
    expect(opened.place.branch).toBe('rondo/work-etest1');
    expect(pushed).toEqual({ branch, commit: git(remote, 'rev-parse', branch) });
    expect(git(remote, 'show', `${branch}:a.txt`)).toBe('changed');
    expect(git(remote, 'log', '-1', '--format=%B', branch)).toBe(`Fix the list\n\nRondo session ${id}`);
    expect(pushed).toBeDefined();
    const before = pushed as { branch: string; commit: string };
    expect(await a.push(stateOf(opened, { pushed: before }))).toBeUndefined();
    // The record of the first push was lost in a crash: the branch is recognised.
    expect(await a.push(stateOf(opened))).toEqual(before);
    writeFileSync(path.join(opened.cwd, 'a.txt'), 'again\n');
    expect(await a.push(stateOf(opened, { pushed: before }))).toEqual({
      branch,
      commit: git(remote, 'rev-parse', branch),
    });
  });

  test('a branch with foreign commits stays, and the result gets another name', async () => {
    const { root, remote, git, home, stateOf } = createScene();
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    const branch = 'rondo/fix-the-list-etest1';
    const other = path.join(root, 'other');
    git(root, 'clone', '--quiet', remote, other);
    git(other, 'commit', '--quiet', '--allow-empty', '-m', 'foreign');
    git(other, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    const foreign = git(remote, 'rev-parse', branch);
    writeFileSync(path.join(opened.cwd, 'a.txt'), 'changed\n');
    const pushed = await a.push(stateOf(opened));
    const commit = git(opened.cwd, 'rev-parse', 'HEAD');
    expect(pushed).toEqual({ branch: `${branch}-${commit.slice(0, 7)}`, commit });
    expect(git(remote, 'rev-parse', branch)).toBe(foreign);
  });

  test('[S21] a line that looks like a secret keeps the branch from being pushed', async () => {
    const { remote, git, home, stateOf } = createScene();
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    writeFileSync(path.join(opened.cwd, 'config.ts'), 'const key = "sk-secret-1234567890";\n');
    expect(await a.push(stateOf(opened))).toMatchObject({
      type: 'failed',
      message: expect.stringMatching(/^config\.ts contains what looks like a secret/),
    });
    expect(git(remote, 'branch', '--list', 'rondo/*')).toBe('');
  });

  test('[S3] settings that an agent writes into its clone start nothing when the result is pushed', async () => {
    const { root, remote, git, home, stateOf } = createScene();
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    const marker = path.join(root, 'ran');
    for (const key of ['core.sshCommand', 'core.fsmonitor', 'credential.helper', 'remote.origin.receivepack']) {
      git(opened.cwd, 'config', key, `touch ${marker}; false`);
    }
    git(opened.cwd, 'config', `url.ext::touch ${marker}.insteadOf`, remote);
    writeFileSync(path.join(opened.cwd, '.git/hooks-pre'), '');
    mkdirSync(path.join(opened.cwd, '.git/hooks'), { recursive: true });
    writeFileSync(path.join(opened.cwd, '.git/hooks/pre-push'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    writeFileSync(path.join(opened.cwd, '.git/hooks/pre-commit'), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    writeFileSync(path.join(opened.cwd, 'a.txt'), 'changed\n');
    expectSaved(await a.save(stateOf(opened)));
    await a.push(stateOf(opened));
    expect(existsSync(marker)).toBe(false);
  });

  test('[P12] forgetting a session keeps a clone with work that is not pushed', async () => {
    const { remote, home, stateOf } = createScene();
    const a = home('a');
    const opened = await a.open(id, { url: remote });
    writeFileSync(path.join(opened.cwd, 'a.txt'), 'changed\n');
    await a.forget(id);
    expect(existsSync(opened.cwd)).toBe(true);
    await a.push(stateOf(opened));
    await a.forget(id);
    expect(existsSync(opened.cwd)).toBe(false);
  });

  test('a cache is deleted after a month without use, unless a clone needs its objects', async () => {
    const { root, remote, work, git, home } = createScene();
    const a = home('a');
    const [kept, dropped] = ['ses_placekept' as SessionId, 'ses_placedrop' as SessionId];
    const others = ['second.git', 'third.git'].map((name) => path.join(root, name));
    for (const other of others) git(root, 'clone', '--quiet', '--bare', work, other);
    const [second = '', third = ''] = others;
    const { cwd } = await a.open(kept, { url: second });
    await a.open(dropped, { url: third });
    const caches = path.join(root, 'a/repositories');
    const names = () => readdirSync(caches).map((name) => name.replace(/-[0-9a-f]{12}/, ''));
    await a.forget(dropped);
    expect(names()).toEqual(['second.git', 'third.git']);
    const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
    for (const name of readdirSync(caches)) utimesSync(path.join(caches, name, 'HEAD'), longAgo, longAgo);
    // A home may be named by another path.
    symlinkSync(path.join(root, 'a'), path.join(root, 'b'));
    await home('b').open(id, { url: remote });
    expect(names()).toEqual(['remote.git', 'second.git']);
    expect(git(cwd, 'log', '--format=%s')).toBe('first');
  });

  test('[S8] the sandbox shows the shared objects of its cache, and no other folder that a clone names', async () => {
    const { root, remote, home } = createScene();
    const { cwd } = await home('a').open(id, { url: remote });
    const caches = path.join(root, 'a/repositories');
    const file = path.join(cwd, '.git/objects/info/alternates');
    const own = read(file).trim();
    expect(await sharedObjects(cwd, caches)).toEqual([realpathSync(own)]);
    const bait = path.join(root, 'bait.git/objects');
    mkdirSync(bait, { recursive: true });
    symlinkSync(path.dirname(bait), path.join(caches, 'bait.git'));
    writeFileSync(file, [own, path.join(caches, 'bait.git/objects'), root, caches, '/etc'].join('\n'));
    expect(await sharedObjects(cwd, caches)).toEqual([realpathSync(own)]);
  });

  test('maintenance of a cache keeps commits that only a clone needs', async () => {
    const { root, remote, work, git, home } = createScene();
    const a = home('a');
    const { cwd } = await a.open(id, { url: remote });
    git(work, 'commit', '--quiet', '--amend', '-m', 'rewritten');
    git(work, 'push', '--quiet', '--force', 'origin', 'main');
    await a.open('ses_placeother' as SessionId, { url: remote });
    const caches = path.join(root, 'a/repositories');
    const cache = path.join(caches, readdirSync(caches)[0] ?? '');
    const longAgo = new Date(Date.now() - 90 * 24 * 3_600_000);
    for (const name of readdirSync(path.join(cache, 'objects'), { recursive: true, encoding: 'utf8' })) {
      utimesSync(path.join(cache, 'objects', name), longAgo, longAgo);
    }
    git(cache, '-c', 'safe.bareRepository=all', 'gc', '--quiet');
    expect(git(cwd, 'log', '--format=%s')).toBe('first');
  });

  test('a session that can’t fetch a new repository leaves the cache of one that can', async () => {
    const { root, remote, git, home } = createScene();
    const a = home('a');
    const away = `${remote}.away`;
    renameSync(remote, away);
    const failing = a.open('ses_tooearly' as SessionId, { url: remote });
    await expect(failing).rejects.toThrow(/Can't reach repository/);
    renameSync(away, remote);
    const [failed, { cwd }] = await Promise.all([
      a.open('ses_nobranch' as SessionId, { url: remote, ref: 'nowhere' }).catch(String),
      a.open(id, { url: remote }),
    ]);
    expect(failed).toContain('no branch, tag or commit nowhere');
    expect(git(cwd, 'log', '--format=%s')).toBe('first');
    expect(readdirSync(path.join(root, 'a/repositories')).length).toBe(1);
  });

  test('many sessions share one cache at the same time', async () => {
    const { root, remote, home } = createScene();
    const a = home('a');
    const ids = Array.from({ length: 6 }, (_, index) => `ses_same${index}` as SessionId);
    const opened = await Promise.all(ids.map((one) => a.open(one, { url: remote })));
    expect(new Set(opened.map(({ cwd }) => cwd)).size).toBe(6);
    const alternates = opened.map(({ cwd }) => read(cwd, '.git/objects/info/alternates').trim());
    expect(new Set(alternates).size).toBe(1);
    expect(alternates[0]?.startsWith(path.join(root, 'a/repositories'))).toBe(true);
  });
});

describe('[C154][S13] an address', () => {
  test.each([
    ['https://user:secret@example.org/x.git', /contains credentials/],
    ['https://token@example.org/x.git', /contains credentials/],
    ['ext::sh -c touch% /tmp/x', /Invalid repository address/],
    ['ext::sh', /only https/],
    ['--upload-pack=touch', /Invalid repository address/],
    ['ftp://example.org/x', /only https/],
    ['', /Invalid repository address/],
  ])('%s is refused', async (url, message) => {
    const { home } = createScene();
    await expect(home('a').open(id, { url })).rejects.toThrow(message);
  });

  test('a remote caller can’t name a folder of the server', async () => {
    const { home, remote } = createScene();
    const asked = home('a').open(id, { url: remote, caller: 'remote' });
    await expect(asked).rejects.toThrow(/can only be named on that machine/);
  });

  test('an unknown branch, folder or repository is named', async () => {
    const { home, remote, root } = createScene();
    await expect(home('a').open(id, { url: remote, ref: 'nowhere' })).rejects.toThrow(
      /no branch, tag or commit nowhere/,
    );
    await expect(home('a').open(id, { url: remote, folder: '../x' })).rejects.toThrow(/Invalid folder/);
    await expect(home('b').open(id, { url: path.join(root, 'none.git') })).rejects.toThrow(
      /Can't reach repository/,
    );
    expect(readdirSync(path.join(root, 'b/repositories'))).toEqual([]);
  });
});
