import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';

import { isThere } from '../security/paths/is-there.ts';
import { copyIndex } from './copy-index.ts';
import type { GitFailure } from '../git/git-call.ts';
import { findGitPlace } from '../git/find-git-place.ts';
import { gitText, splitNul } from '../git/run-git.ts';
import { allFinished, isUnfinished } from '../security/paths/unfinished-write.ts';
import type { Repository } from './repository.ts';

/** Paths with uncommitted changes, including changes in submodules and excluding ignored files. */
export async function uncommittedFiles(cwd: string): Promise<readonly string[] | GitFailure> {
  // `dirty`: git would otherwise read the submodule with the submodule's own configuration.
  const text = await gitText({
    cwd,
    dir: 'generated',
    args: ['status', '--porcelain', '-z', '--untracked-files=all', '--ignore-submodules=dirty', '--no-renames'],
  });
  if (typeof text !== 'string') return text;
  const files = splitNul(text)
    .map((line) => line.slice(3))
    .filter((file) => !isUnfinished(file));
  const changed = await changedSubmodules(cwd);
  return 'type' in changed ? changed : [...new Set([...files, ...changed])];
}

async function changedSubmodules(cwd: string): Promise<readonly string[] | GitFailure> {
  const staged = await gitText({ cwd, dir: 'generated', args: ['ls-files', '--stage', '-z'] });
  if (typeof staged !== 'string') return staged;
  const reasons: string[] = [];
  for (const entry of splitNul(staged).filter((one) => one.startsWith('160000 '))) {
    const file = entry.slice(entry.indexOf('\t') + 1);
    const folder = await realpath(path.join(cwd, file)).catch(() => undefined);
    if (folder === undefined) continue;
    const place = await findGitPlace(folder);
    if (place.type === 'place' && place.top !== folder) continue;
    const inside = await uncommittedFiles(folder);
    if ('type' in inside) return inside;
    if (inside.length > 0) reasons.push(file);
  }
  return reasons;
}

/** A git operation in progress, such as `rebase`. */
export async function unfinishedOperation(gitDir: string): Promise<string | undefined> {
  for (const [file, operation] of UNFINISHED) {
    if (await isThere(path.join(gitDir, file))) return operation;
  }
  return undefined;
}

const UNFINISHED = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
] as const;

/** Files that git notes as in conflict. */
export async function conflictsIn(cwd: string): Promise<readonly string[]> {
  const text = await gitText({ cwd, dir: 'generated', args: ['ls-files', '--unmerged', '-z'] });
  if (typeof text !== 'string') return [];
  return [...new Set(splitNul(text).map((entry) => entry.slice(entry.indexOf('\t') + 1)))];
}

/** All current files as a tree, without touching the index or running configured filters. */
export async function treeOfWork(repository: Repository): Promise<string | GitFailure> {
  const folder = path.join(repository.gitDir, 'rondo');
  const index = path.join(folder, `work-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  try {
    await copyIndex(path.join(repository.gitDir, 'index'), index);
    const environment = { GIT_INDEX_FILE: index };
    const cwd = repository.top;
    // A path that can't be added, such as an embedded repository without a commit, keeps its index entry.
    await gitText({
      cwd,
      environment: { ...environment, ...allFinished.environment },
      dir: 'generated',
      args: ['add', '--all', '--ignore-errors', ...allFinished.paths],
    });
    const tree = await gitText({ cwd, environment, dir: 'generated', args: ['write-tree'] });
    return typeof tree === 'string' ? tree.trim() : tree;
  } finally {
    await rm(index, { force: true });
  }
}
