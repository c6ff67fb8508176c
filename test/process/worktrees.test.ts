import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { isDead, ownIdentity } from '../../src/journal/process-identity.ts';
import type { Opened, OpenRequest } from '../../src/worktrees/open-worktree.ts';
import type { Refused, WorktreeSettings } from '../../src/worktrees/worktree.ts';
import { createWorktrees, type Worktrees } from '../../src/worktrees/worktrees.ts';
import { createPlace, createRepository, type Place, createRepositoryPlace } from './worktrees-place.ts';

const self = ownIdentity();

function worktreesOf(
  place: Place,
  settings: Partial<WorktreeSettings> = {},
  holders = { self, isDead: (other: typeof self) => isDead(other, self) },
): Worktrees {
  return createWorktrees({
    holders,
    settings: () => ({ folder: place.at('trees'), branchPrefix: 'rondo/', copy: [], setUp: [], ...settings }),
  });
}

/** Acts as another running process. */
const neighbour = { self: { ...self, pid: 1, startedAt: 'another' }, isDead: () => false };

const request = (place: Place, more: Partial<OpenRequest> = {}): OpenRequest => ({
  cwd: place.at('project'),
  session: 'ses_1',
  name: 'fix',
  at: 5,
  ...more,
});

const opened = (answer: Opened | Refused): Opened => {
  if (answer.type === 'refused') throw new Error(answer.message);
  return answer;
};

const codeOf = (answer: { readonly type: string }) => ('code' in answer ? answer.code : answer.type);

describe('opening a worktree', () => {
  test('C90: makes a branch and its own folder, and leaves the rest as it was', async () => {
    const place = createRepositoryPlace();
    place.write('project/a.txt', 'uncommitted\n');
    const base = place.git('project', 'rev-parse', 'HEAD');
    const answer = await worktreesOf(place).open(request(place));
    expect(answer).toEqual({
      type: 'opened',
      worktree: {
        name: 'fix',
        path: place.at('trees/fix'),
        branch: 'rondo/fix',
        base,
        baseBranch: 'main',
        createdAt: 5,
        session: 'ses_1',
        toSetUp: [],
      },
      cwd: place.at('trees/fix'),
      reused: 'nothing',
      notes: [],
    });
    expect(place.files('trees/fix')).toEqual({ 'a.txt': 'one\n' });
    expect(place.git('trees/fix', 'branch', '--show-current')).toBe('rondo/fix');
    expect(place.git('project', 'status', '--porcelain')).toBe(' M a.txt');
    expect(place.git('project', 'branch', '--show-current')).toBe('main');
  });

  test('C90: the name decides what is used again: a free worktree, a branch, and never a folder in the way', async () => {
    const place = createRepositoryPlace();
    const worktrees = worktreesOf(place);
    opened(await worktrees.open(request(place)));
    place.write('trees/fix/work.txt', 'work');
    await worktrees.leave(place.at('trees/fix'), 'ses_1');
    const again = opened(await worktrees.open(request(place, { session: 'ses_2' })));
    expect([again.reused, again.worktree.session]).toEqual(['worktree', 'ses_2']);
    expect(place.read('trees/fix/work.txt')).toBe('work');

    place.git('project', 'branch', 'rondo/kept');
    expect(opened(await worktrees.open(request(place, { name: 'kept' }))).reused).toBe('branch');

    place.write('trees/mine/precious.txt', 'precious');
    expect(await worktrees.open(request(place, { name: 'mine' }))).toMatchObject({ code: 'path-exists' });
    expect(place.files('trees/mine')).toEqual({ 'precious.txt': 'precious' });

    place.git('project', 'checkout', '-q', '-b', 'rondo/here');
    expect(codeOf(await worktrees.open(request(place, { name: 'here' })))).toBe('branch-in-use');
    expect(codeOf(await worktrees.open(request(place, { name: 'x', base: 'no-such' })))).toBe('no-base');
    expect(codeOf(await worktrees.open(request(place, { name: '///' })))).toBe('bad-name');
    expect(codeOf(await worktrees.open(request(place, { name: 'y', branch: 'a..b' })))).toBe('bad-name');
    expect(
      opened(await worktrees.open(request(place, { name: 'z', branch: 'coder/reviewer' }))).worktree.branch,
    ).toBe('coder/reviewer');
  });

  test('[P12] two sessions never share one, in one process or in several', async () => {
    const place = createRepositoryPlace();
    const worktrees = worktreesOf(place);
    opened(await worktrees.open(request(place)));
    expect(await worktrees.open(request(place, { session: 'ses_2' }))).toEqual({
      type: 'refused',
      code: 'in-use',
      message: `Worktree fix is in use by session ses_1 (process ${self.pid} on ${self.host}). End that session, or choose another name.`,
    });
    expect(opened(await worktrees.open(request(place))).reused).toBe('worktree');
    const elsewhere = worktreesOf(place, {}, neighbour);
    expect(codeOf(await elsewhere.open(request(place, { session: 'ses_2' })))).toBe('in-use');
    expect(await worktrees.leave(place.at('trees/fix'), 'ses_2')).toBe(false);
    expect(await worktrees.leave(place.at('trees/fix'), 'ses_1')).toBe(true);
    opened(await elsewhere.open(request(place, { session: 'ses_2' })));
    // ses_1 returns and finds its worktree taken.
    const again = worktreesOf(place, {}, { self, isDead: () => false });
    expect(await again.enter(place.at('trees/fix'), 'ses_1', 9)).toMatchObject({ code: 'in-use' });
    // The neighbour dies, and its lease with it.
    const later = worktreesOf(place, {}, { self, isDead: (other) => other.pid === 1 });
    expect(await later.enter(place.at('trees/fix'), 'ses_1', 9)).toMatchObject({ name: 'fix' });
    expect(await later.enter(place.at('project'), 'ses_1', 9)).toBeUndefined();
  });

  test('of many that claim at once exactly one gets it, again and again', async () => {
    const place = createRepositoryPlace();
    opened(await worktreesOf(place).open(request(place)));
    await worktreesOf(place).release(place.at('project'), 'fix');
    for (let round = 0; round < 5; round += 1) {
      const dead = new Set<number>();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => {
          const own = { ...self, pid: round * 100 + index };
          const mine = worktreesOf(
            place,
            {},
            { self: own, isDead: ({ pid }) => pid < round * 100 || dead.has(pid) },
          );
          return mine.enter(place.at('trees/fix'), `ses_${index}`, 1);
        }),
      );
      expect(answers.filter((answer) => answer !== undefined && !('code' in answer))).toHaveLength(1);
    }
  });

  test('ignored files that are configured come along, and set-up commands run before anybody works there', async () => {
    const place = createRepositoryPlace();
    place.write('project/.gitignore', '.env*\nnode_modules\n');
    place.write('project/.env.local', 'KEY=1');
    place.write('project/node_modules/x/index.js', 'x');
    place.write('project/other.txt', 'not ignored, not copied');
    place.write('project/secret.key', 'outside');
    const settings = {
      copy: ['.env*', 'node_modules', 'other.txt', '../secret.key', '.git/config'],
      setUp: ['echo "$RONDO_SOURCE" > source.txt', 'test -f .env.local && echo "$SOME_API_KEY" > key.txt'],
    };
    process.env['SOME_API_KEY'] = 'very-secret';
    const answer = opened(await worktreesOf(place, settings).open(request(place)));
    delete process.env['SOME_API_KEY'];
    expect(answer.worktree.toSetUp).toEqual([]);
    expect(place.files('trees/fix')).toEqual({
      '.env.local': 'KEY=1',
      'a.txt': 'one\n',
      'key.txt': '\n',
      'node_modules/x/index.js': 'x',
      'source.txt': `${place.at('project')}\n`,
    });
  });

  test('a failed set-up is reported, keeps the worktree, and runs again next time', async () => {
    const place = createRepositoryPlace();
    const settings = { setUp: ['echo working; test -f ready || { echo "not ready" >&2; exit 3; }'] };
    const worktrees = worktreesOf(place, settings);
    expect(await worktrees.open(request(place))).toEqual({
      type: 'refused',
      code: 'set-up-failed',
      message: `Setting up worktree fix: \`${settings.setUp[0]}\` ended with exit code 3. The worktree is kept at ${place.at('trees/fix')}; the command runs again when it is next used.\nworking\n\nnot ready`,
    });
    place.write('trees/fix/ready', '');
    // Another session may take it: the failed one holds nothing.
    expect(opened(await worktrees.open(request(place, { session: 'ses_2' }))).worktree.toSetUp).toEqual([]);
  });

  test.for([
    ['spaces and other scripts', 'ein tree, né 東京/ß', 'ein-tree-né-東京-ß'],
    ['what would be a flag', '--force', 'force'],
    ['dots', '../../etc', 'etc'],
  ] as const)('names with %s', async ([, given, name]) => {
    const place = createPlace();
    createRepository(place, 'proj ect é');
    const worktrees = worktreesOf(place, { folder: place.at('träes here') });
    const answer = opened(await worktrees.open(request(place, { cwd: place.at('proj ect é'), name: given })));
    expect(answer.worktree).toMatchObject({ name, branch: `rondo/${name}`, path: place.at(`träes here/${name}`) });
    expect(await worktrees.diff(place.at('proj ect é'), name)).toMatchObject({ changes: [] });
  });

  test('from a detached HEAD, a folder inside, and a work tree that is itself linked', async () => {
    const place = createRepositoryPlace();
    place.write('project/pack/b.txt', 'b');
    place.git('project', 'add', '-A');
    place.git('project', 'commit', '-q', '-m', 'second');
    place.git('project', 'worktree', 'add', '-q', '-b', 'linked', place.at('linked'));
    const worktrees = worktreesOf(place);
    const inner = opened(await worktrees.open(request(place, { cwd: place.at('linked/pack'), name: 'inner' })));
    expect([inner.cwd, inner.worktree.baseBranch]).toEqual([place.at('trees/inner/pack'), 'linked']);
    place.git('project', 'checkout', '-q', '--detach', 'HEAD~1');
    const detached = opened(await worktrees.open(request(place, { name: 'detached' })));
    expect(detached.worktree).not.toHaveProperty('baseBranch');
    place.write('trees/detached/c.txt', 'c');
    await worktrees.commit(place.at('project'), 'detached', 'c');
    expect(codeOf(await worktrees.merge(place.at('project'), 'detached'))).toBe('no-target');
    expect(await worktrees.merge(place.at('project'), 'detached', { into: 'linked' })).toMatchObject({
      how: 'merge-commit',
      into: 'linked',
    });
    expect(place.files('linked')).toEqual({ 'a.txt': 'one\n', 'c.txt': 'c', 'pack/b.txt': 'b' });
  });

  test('without a repository, or without a commit, says what is missing', async () => {
    const place = createPlace();
    mkdirSync(place.at('project'));
    const worktrees = worktreesOf(place);
    expect(codeOf(await worktrees.open(request(place)))).toBe('no-repository');
    place.git('project', 'init', '-q');
    expect(codeOf(await worktrees.open(request(place)))).toBe('no-commits');
  });

  test('submodules are copied locally without the network; missing ones stay empty and are reported', async () => {
    const place = createPlace();
    createRepository(place, 'library');
    createRepository(place, 'absent');
    createRepository(place);
    place.git('project', 'submodule', 'add', '-q', place.at('library'), 'lib rary');
    place.git('project', 'submodule', 'add', '-q', place.at('absent'), 'absent');
    place.git('project', 'commit', '-q', '-m', 'modules');
    place.git('project', 'submodule', 'deinit', '-q', '-f', 'absent');
    rmSync(place.at('absent'), { recursive: true });
    const worktrees = worktreesOf(place);
    const answer = opened(await worktrees.open(request(place)));
    expect(answer.notes).toEqual(['the submodule absent is empty: it is not checked out here either']);
    expect(place.read('trees/fix/lib rary/a.txt')).toBe('one\n');
    expect(place.git('trees/fix/lib rary', 'remote', 'get-url', 'origin')).toBe(place.at('library'));
    place.write('trees/fix/lib rary/a.txt', 'changed in the submodule\n');
    expect(codeOf(await worktrees.remove(place.at('project'), 'fix', { withCheckpoint: false, at: 1 }))).toBe(
      'in-use',
    );
    await worktrees.leave(answer.cwd, 'ses_1');
    expect(codeOf(await worktrees.remove(place.at('project'), 'fix', { withCheckpoint: false, at: 1 }))).toBe(
      'uncommitted',
    );
    // A checkpoint can't hold the content of a submodule.
    expect(codeOf(await worktrees.remove(place.at('project'), 'fix', { withCheckpoint: true, at: 1 }))).toBe(
      'not-kept',
    );
    expect(place.read('trees/fix/lib rary/a.txt')).toBe('changed in the submodule\n');
  });

  test('safety S3: a filter that the repository defines does not run; the files stay pointers, and a note names it', async () => {
    const place = createRepositoryPlace();
    place.write('project/.gitattributes', '*.bin filter=lfs\n');
    place.write('project/large.bin', 'version https://git-lfs.github.com/spec/v1\n');
    place.git('project', 'add', '-A');
    place.git('project', 'commit', '-q', '-m', 'pointer');
    place.git('project', 'config', 'filter.lfs.smudge', 'no-such-git-lfs smudge');
    place.git('project', 'config', 'filter.lfs.required', 'true');
    const answer = opened(await worktreesOf(place).open(request(place)));
    expect(answer.notes).toEqual([
      "the repository's own filters (lfs) don't run: their files are as git keeps them, and committing is refused",
    ]);
    expect(place.read('trees/fix/large.bin')).toBe('version https://git-lfs.github.com/spec/v1\n');
  });
});

describe('the work in a worktree', () => {
  const working = async (place: Place) => {
    createRepository(place);
    const worktrees = worktreesOf(place);
    opened(await worktrees.open(request(place)));
    return { worktrees, cwd: place.at('project') };
  };

  test('is shown by file, committed or not, against where it left the branch', async () => {
    const place = createPlace();
    const { worktrees, cwd } = await working(place);
    place.write('trees/fix/a.txt', 'one\ntwo\n');
    place.write('trees/fix/committed.txt', 'c\n');
    expect(await worktrees.commit(cwd, 'fix', 'some work')).toMatchObject({ files: ['a.txt', 'committed.txt'] });
    place.write('trees/fix/ünï.txt', 'new\n');
    place.write('project/elsewhere.txt', 'not of the worktree');
    place.git('project', 'add', '-A');
    place.git('project', 'commit', '-q', '-m', 'elsewhere');
    const before = place.git('trees/fix', 'status', '--porcelain');
    expect(await worktrees.diff(cwd, 'fix')).toMatchObject({
      changes: [
        { path: 'a.txt', status: 'modified', added: 1, removed: 0 },
        { path: 'committed.txt', status: 'added', added: 1, removed: 0 },
        { path: 'ünï.txt', status: 'added', added: 1, removed: 0 },
      ],
    });
    expect(await worktrees.changesIn(place.at('trees/fix'), { patch: true, paths: ['a.txt'] })).toMatchObject({
      changes: [{ path: 'a.txt', patch: expect.stringContaining('+two') as string }],
    });
    expect(place.git('trees/fix', 'status', '--porcelain')).toBe(before);
    expect(await worktrees.list(cwd)).toMatchObject([
      { name: 'fix', state: 'ready', uncommitted: 1, ahead: 1, behind: 1, lease: { session: 'ses_1' } },
    ]);
  });

  test('[S5] is shown without the text of files that hold keys, also beside one whose type changed', async () => {
    const place = createPlace();
    const { worktrees } = await working(place);
    const at = place.at('trees/fix');
    rmSync(path.join(at, 'a.txt'));
    symlinkSync('b.txt', path.join(at, 'a.txt'));
    for (const name of ['.env', 'app/.ENV.local', 'deploy.pem', 'z.txt'])
      place.write(`trees/fix/${name}`, 'KEY=1\n');
    const diff = await worktrees.changesIn(at, { patch: true });
    const shown = diff.type === 'diff' ? diff.changes.map(({ path: name, patch }) => [name, patch]) : diff;
    expect(shown).toEqual([
      ['.env', undefined],
      ['a.txt', expect.stringMatching(/^diff --git a\/a\.txt[^]*diff --git a\/a\.txt[^]*\+b\.txt/)],
      ['app/.ENV.local', undefined],
      ['deploy.pem', undefined],
      ['z.txt', expect.stringMatching(/^diff --git a\/z\.txt[^]*\+KEY=1/)],
    ]);
  });

  test('[P12] a file that is being written, or that a kill cut off, is neither shown nor committed', async () => {
    const place = createPlace();
    const { worktrees, cwd } = await working(place);
    place.write('trees/fix/src/.0123456789ab.rondo-tmp', 'half of');
    expect(await worktrees.diff(cwd, 'fix')).toMatchObject({ changes: [] });
    expect(codeOf(await worktrees.commit(cwd, 'fix', 'nothing'))).toBe('nothing-to-commit');
    place.write('trees/fix/src/whole.txt', 'whole\n');
    expect(await worktrees.commit(cwd, 'fix', 'whole')).toMatchObject({ files: ['src/whole.txt'] });
    expect(place.git('trees/fix', 'show', '--name-only', '--format=')).toBe('src/whole.txt');
    expect(await worktrees.list(cwd)).toMatchObject([{ name: 'fix', uncommitted: 0 }]);
  });

  test('goes back into the branch it began at, also where that has moved on', async () => {
    const place = createPlace();
    const { worktrees, cwd } = await working(place);
    place.write('trees/fix/b.txt', 'b\n');
    expect(codeOf(await worktrees.merge(cwd, 'fix'))).toBe('uncommitted');
    await worktrees.commit(cwd, 'fix', 'b');
    expect(await worktrees.merge(cwd, 'fix')).toMatchObject({ into: 'main', how: 'fast-forward' });
    expect(place.files('project')).toEqual({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    expect(await worktrees.merge(cwd, 'fix')).toMatchObject({ how: 'already-there' });
    place.write('project/c.txt', 'c\n');
    place.git('project', 'add', '-A');
    place.git('project', 'commit', '-q', '-m', 'c');
    place.write('project/unrelated.txt', 'uncommitted work of the person');
    place.write('trees/fix/d.txt', 'd\n');
    await worktrees.commit(cwd, 'fix', 'd');
    expect(await worktrees.merge(cwd, 'fix', { message: 'Brings d' })).toMatchObject({ how: 'merge-commit' });
    expect(place.git('project', 'log', '-1', '--format=%s')).toBe('Brings d');
    expect(place.files('project')).toEqual({
      'a.txt': 'one\n',
      'b.txt': 'b\n',
      'c.txt': 'c\n',
      'd.txt': 'd\n',
      'unrelated.txt': 'uncommitted work of the person',
    });
    expect(place.git('project', 'status', '--porcelain')).toBe('?? unrelated.txt');
  });

  test('a conflict is refused and nothing is changed', async () => {
    const place = createPlace();
    const { worktrees, cwd } = await working(place);
    place.write('trees/fix/a.txt', 'theirs\n');
    await worktrees.commit(cwd, 'fix', 'theirs');
    place.write('project/a.txt', 'ours\n');
    place.git('project', 'commit', '-q', '-am', 'ours');
    const was = [place.git('project', 'rev-parse', 'HEAD'), place.files('project'), place.files('trees/fix')];
    expect(await worktrees.merge(cwd, 'fix')).toMatchObject({ code: 'conflict', files: ['a.txt'] });
    expect(await worktrees.review(cwd, 'fix', '')).toMatchObject({ ahead: 1, behind: 1, conflicts: ['a.txt'] });
    expect([place.git('project', 'rev-parse', 'HEAD'), place.files('project'), place.files('trees/fix')]).toEqual(
      was,
    );
    expect(place.git('project', 'status', '--porcelain')).toBe('');
  });

  test("a person's uncommitted file that would be written over stops the merge, and is untouched", async () => {
    const place = createPlace();
    const { worktrees, cwd } = await working(place);
    place.write('trees/fix/a.txt', 'theirs\n');
    await worktrees.commit(cwd, 'fix', 'theirs');
    place.write('project/a.txt', 'not committed\n');
    const head = place.git('project', 'rev-parse', 'HEAD');
    expect(await worktrees.merge(cwd, 'fix')).toMatchObject({ code: 'conflict' });
    expect([place.git('project', 'rev-parse', 'HEAD'), place.read('project/a.txt')]).toEqual([
      head,
      'not committed\n',
    ]);
  });

  test('a hook of the person may refuse a commit', async () => {
    const place = createPlace();
    const { worktrees, cwd } = await working(place);
    place.write('project/.git/hooks/pre-commit', '#!/bin/sh\necho "tests are red" >&2\nexit 1\n', 0o755);
    place.write('trees/fix/b.txt', 'b');
    expect(await worktrees.commit(cwd, 'fix', 'b')).toEqual({
      type: 'refused',
      code: 'git-failed',
      message: 'Committing in worktree fix: tests are red',
    });
    expect(codeOf(await worktrees.commit(cwd, 'no-such', 'b'))).toBe('no-worktree');
  });
});

describe('removing a worktree', () => {
  test('[P12] is refused while anything is in use, uncommitted, unfinished or unmerged', async () => {
    const place = createRepositoryPlace();
    const worktrees = worktreesOf(place);
    const cwd = place.at('project');
    const remove = (withCheckpoint = false) => worktrees.remove(cwd, 'fix', { withCheckpoint, at: 7 });
    opened(await worktrees.open(request(place)));
    expect(codeOf(await remove())).toBe('in-use');
    expect(codeOf(await remove(true))).toBe('in-use');
    await worktrees.leave(place.at('trees/fix'), 'ses_1');
    place.write('trees/fix/b.txt', 'b\n');
    expect(await remove()).toMatchObject({ code: 'uncommitted', files: ['b.txt'] });
    await worktrees.commit(cwd, 'fix', 'b');
    expect(codeOf(await remove())).toBe('unmerged');
    const gitDir = place.git('trees/fix', 'rev-parse', '--absolute-git-dir');
    writeFileSync(path.join(gitDir, 'CHERRY_PICK_HEAD'), '');
    expect(codeOf(await remove(true))).toBe('unfinished');
    rmSync(path.join(gitDir, 'CHERRY_PICK_HEAD'));
    expect(place.files('trees/fix')).toEqual({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    await worktrees.merge(cwd, 'fix');
    expect(await remove()).toEqual({ type: 'removed', name: 'fix', branch: 'deleted' });
    expect([place.files('trees'), place.git('project', 'branch'), await worktrees.list(cwd)]).toEqual([
      {},
      '* main',
      [],
    ]);
  });

  test('[P12] with a checkpoint it goes, and files and commits are all in the hidden ref', async () => {
    const place = createRepositoryPlace();
    const worktrees = worktreesOf(place);
    const cwd = place.at('project');
    opened(await worktrees.open(request(place)));
    place.write('trees/fix/b.txt', 'committed\n');
    await worktrees.commit(cwd, 'fix', 'b');
    place.git('trees/fix', 'checkout', '-q', '--detach');
    place.write('trees/fix/c.txt', 'on a detached HEAD\n');
    await worktrees.commit(cwd, 'fix', 'c');
    place.write('trees/fix/d.txt', 'in no commit\n');
    await worktrees.leave(place.at('trees/fix'), 'ses_1');
    const removed = await worktrees.remove(cwd, 'fix', { withCheckpoint: true, at: 7 });
    const ref = 'refs/rondo/worktree-fix/removed-7';
    expect(removed).toEqual({ type: 'removed', name: 'fix', branch: 'kept', checkpoint: ref });
    expect(place.git('project', 'ls-tree', '--name-only', ref)).toBe('a.txt\nb.txt\nc.txt\nd.txt');
    expect(place.git('project', 'log', '--format=%s', `${ref}^`)).toBe('c\nb\nfirst');
    // The branch still exists to continue on.
    expect(opened(await worktrees.open(request(place))).reused).toBe('branch');
    expect(place.files('trees/fix')).toEqual({ 'a.txt': 'one\n', 'b.txt': 'committed\n' });
  });
});

describe('reconciling', () => {
  test('knows worktrees again, forgets those that are gone, names orphans and harms nothing', async () => {
    const place = createRepositoryPlace();
    const worktrees = worktreesOf(place);
    const cwd = place.at('project');
    for (const name of ['stays', 'deleted', 'detached', 'unrecorded'])
      opened(await worktrees.open(request(place, { name })));
    place.git('trees/detached', 'checkout', '-q', '--detach');
    place.write('trees/detached/b.txt', 'only here');
    await worktrees.commit(cwd, 'detached', 'b');
    const lost = place.git('trees/detached', 'rev-parse', 'HEAD');
    rmSync(place.at('trees/deleted'), { recursive: true });
    rmSync(place.at('trees/detached'), { recursive: true });
    rmSync(place.at('project/.git/rondo/worktrees/unrecorded.json'));
    place.write('trees/orphan/precious.txt', 'precious');
    symlinkSync('nowhere', place.at('trees/dangling'));
    createRepository(place, 'other');
    place.git('other', 'worktree', 'add', '-q', place.at('trees/of-another'));
    expect(await worktrees.reconcile(cwd, 9)).toEqual({
      adopted: ['unrecorded'],
      forgotten: ['deleted', 'detached'],
      orphans: [place.at('trees/dangling'), place.at('trees/orphan')],
    });
    expect(place.read('trees/orphan/precious.txt')).toBe('precious');
    expect(place.git('project', 'rev-parse', `refs/rondo/worktree-detached/head-${lost.slice(0, 12)}`)).toBe(lost);
    expect(place.git('project', 'branch', '--list', 'rondo/deleted').trim()).toBe('rondo/deleted');
    expect(await worktrees.reconcile(cwd, 9)).toMatchObject({ adopted: [], forgotten: [] });
    expect(await worktrees.list(cwd)).toMatchObject([{ name: 'stays' }, { name: 'unrecorded' }]);
  });

  test('a worktree on a disk that is not there is listed as missing and not forgotten', async () => {
    const place = createRepositoryPlace();
    const worktrees = worktreesOf(place);
    opened(await worktrees.open(request(place)));
    rmSync(place.at('trees'), { recursive: true });
    expect(await worktrees.reconcile(place.at('project'), 9)).toEqual({ adopted: [], forgotten: [], orphans: [] });
    expect(await worktrees.list(place.at('project'))).toMatchObject([{ name: 'fix', state: 'missing' }]);
  });
});
