import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { isDead, ownIdentity } from '../../src/journal/process-identity.ts';
import { optional } from '../../src/kernel/optional.ts';
import { commitIn, discardIn, planPush, pushFrom } from '../../src/worktrees/session-branch.ts';
import { diffFolder } from '../../src/worktrees/worktree-changes.ts';
import { createWorktrees } from '../../src/worktrees/worktrees.ts';
import { createPlace, createRepository } from './worktrees-place.ts';

function changedProject() {
  const place = createPlace();
  const folder = createRepository(place);
  place.write('project/a.txt', 'two\n');
  place.write('project/new file.txt', 'fresh\n');
  place.write('project/docs/b.md', 'text\n');
  return { place, folder };
}

test('a commit takes only the chosen files, new ones too', async () => {
  const { place, folder } = changedProject();
  const done = await commitIn(folder, 'docs: add b', ['docs/b.md', 'new file.txt', '../outside']);
  expect(done).toMatchObject({ type: 'committed', files: ['docs/b.md', 'new file.txt'] });
  expect(place.git('project', 'show', '--name-only', '--format=%s')).toBe(
    'docs: add b\n\ndocs/b.md\nnew file.txt',
  );
  expect(place.git('project', 'status', '--porcelain')).toBe(' M a.txt');
  const diff = await diffFolder(folder, 'HEAD');
  expect(diff).toMatchObject({ changes: [{ path: 'a.txt', isUncommitted: true }] });
});

test('P12: discarding puts files back, removes new ones and keeps a copy', async () => {
  const { place, folder } = changedProject();
  place.git('project', 'add', 'new file.txt');
  const done = await discardIn(folder, ['a.txt', 'new file.txt'], Date.UTC(2026, 0, 1));
  expect(done).toEqual({
    type: 'discarded',
    files: ['a.txt', 'new file.txt'],
    kept: 'refs/rondo/discarded/2026-01-01T00%3a00%3a00%2e000Z',
  });
  expect(place.git('project', 'status', '--porcelain', '-uall')).toBe('?? docs/b.md');
  expect(place.read('project/a.txt')).toBe('one\n');
  const kept = done.type === 'discarded' ? done.kept : '';
  expect(place.git('project', 'show', `${kept}:new file.txt`)).toBe('fresh');
  expect(await discardIn(folder, ['a.txt'], 0)).toMatchObject({ code: 'nothing-to-commit' });
});

test('[S22] a push sends exactly the confirmed commit and never replaces others', async () => {
  const { place, folder } = changedProject();
  execFileSync('git', ['init', '-q', '--bare', place.at('remote.git')]);
  expect(await planPush(folder)).toEqual({
    type: 'refused',
    code: 'no-target',
    message: 'This repository has no remote. Add one with: git remote add origin URL',
  });
  place.git('project', 'remote', 'add', 'origin', place.at('remote.git'));
  const plan = await planPush(folder);
  if (plan.type !== 'plan') throw new Error(plan.message);
  expect(plan).toMatchObject({
    remote: 'origin',
    url: place.at('remote.git'),
    branch: 'main',
    commits: ['first'],
  });
  await commitIn(folder, 'second', ['a.txt']);
  expect(await pushFrom(folder, plan)).toMatchObject({ code: 'conflict' });
  const now = await planPush(folder);
  if (now.type !== 'plan') throw new Error(now.message);
  expect(await pushFrom(folder, now)).toEqual({
    type: 'pushed',
    remote: 'origin',
    branch: 'main',
    commit: now.commit,
  });
  expect(place.git('remote.git', 'rev-parse', 'main')).toBe(now.commit);
  expect(await planPush(folder)).toMatchObject({ commits: [] });

  // Another history of the same branch is refused by the remote.
  place.git('project', 'commit', '-q', '--amend', '-m', 'changed');
  const other = await planPush(folder);
  if (other.type !== 'plan') throw new Error(other.message);
  expect(await pushFrom(folder, other)).toMatchObject({ code: 'git-failed' });
  expect(place.git('remote.git', 'rev-parse', 'main')).toBe(now.commit);
});

test('[S22] the address of a remote is shown without its password', async () => {
  const { place, folder } = changedProject();
  place.git('project', 'remote', 'add', 'origin', 'https://ada:secret@example.org/shop.git');
  expect(await planPush(folder)).toMatchObject({ url: 'https://example.org/shop.git' });
});

test('C90: a worktree is named after the title, and two of one title differ', async () => {
  const { place, folder } = changedProject();
  const self = ownIdentity();
  const worktrees = createWorktrees({
    holders: { self, isDead: (other) => isDead(other, self) },
    settings: () => ({ folder: place.at('trees'), branchPrefix: 'rondo/', copy: [], setUp: [] }),
  });
  const title = "Cart total is off by a cent: it's the rounding of prices";
  const open = async (session: string, named?: string) => {
    const opened = await worktrees.open({
      cwd: folder,
      session,
      at: 1,
      ...optional({ title: named }),
    });
    return opened.type === 'opened' ? opened.worktree.branch : opened.message;
  };
  expect([
    await open('ses_1', title),
    await open('ses_2', title),
    await open('ses_3', '…'),
    await open('ses_4'),
  ]).toEqual([
    'rondo/cart-total-is-off-by-a-cent-its-the',
    'rondo/cart-total-is-off-by-a-cent-its-the-2',
    'rondo/ses_3',
    'rondo/ses_4',
  ]);
});
