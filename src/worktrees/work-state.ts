import { randomBytes } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { copyIndex } from './copy-index.ts';
import { type Failed, gitText, splitNul } from './git.ts';
import type { Repository } from './repository.ts';

/** Paths with changes that are in no commit; git's ignored files do not count, changes in submodules do. */
export async function uncommittedFiles(cwd: string): Promise<readonly string[] | Failed> {
  const text = await gitText({
    cwd,
    args: ['status', '--porcelain', '-z', '--untracked-files=all', '--ignore-submodules=none', '--no-renames'],
  });
  return typeof text === 'string' ? splitNul(text).map((line) => line.slice(3)) : text;
}

/** An operation of git that a person has begun there and not ended, such as `rebase`. */
export async function unfinishedOperation(gitDir: string): Promise<string | undefined> {
  for (const [file, operation] of UNFINISHED) {
    const isThere = await stat(path.join(gitDir, file)).then(
      () => true,
      () => false,
    );
    if (isThere) return operation;
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

/** All files as they are now, as git would commit them (filters included), without touching the index. */
export async function treeOfWork(repository: Repository): Promise<string | Failed> {
  const folder = path.join(repository.gitDir, 'rondo');
  const index = path.join(folder, `work-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  try {
    await copyIndex(path.join(repository.gitDir, 'index'), index);
    const environment = { GIT_INDEX_FILE: index };
    const cwd = repository.top;
    // What cannot be added, such as a repository inside without a commit, is left as it is in the index.
    await gitText({ cwd, environment, args: ['add', '--all', '--ignore-errors'] });
    const tree = await gitText({ cwd, environment, args: ['write-tree'] });
    return typeof tree === 'string' ? tree.trim() : tree;
  } finally {
    await rm(index, { force: true });
  }
}
