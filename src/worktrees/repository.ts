import { realpath } from 'node:fs/promises';
import path from 'node:path';

import type { GitFailure } from '../git/git-call.ts';
import { findGitPlace, type GitPlace } from '../git/find-git-place.ts';
import { gitText } from '../git/run-git.ts';

/** The git repository of a folder, with real absolute paths. */
export interface Repository {
  readonly type: 'repository';
  /** The folder, and the top of its work tree. */
  readonly root: string;
  readonly top: string;
  /** The git dir of this work tree; for a linked one, a folder inside `commonDir`. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objects: string;
  readonly objectFormat: string;
}

interface NoRepository {
  readonly type: 'no-repository';
  /** What is missing: a repository or git. */
  readonly why: string;
}

export async function findRepository(folder: string): Promise<Repository | NoRepository | GitFailure> {
  let root: string;
  try {
    root = await realpath(folder);
  } catch {
    return { type: 'failed', message: `Folder not found: ${folder}.` };
  }
  const place = await findGitPlace(root);
  if (place.type === 'refused') return { type: 'failed', message: place.message };
  // A folder inside `.git` holds no work.
  if (place.type === 'none' || place.top === undefined)
    return { type: 'no-repository', why: `${folder} isn't in a git repository` };
  const { gitDir, commonDir, top } = place;
  const format = await gitText({
    cwd: root,
    dir: 'generated',
    place,
    args: ['rev-parse', '--show-object-format'],
  });
  if (typeof format !== 'string')
    return format.isMissing === true
      ? { type: 'no-repository', why: "git isn't installed, or isn't on the PATH" }
      : format;
  const objects = await realpath(path.join(commonDir, 'objects'));
  return { type: 'repository', root, top, gitDir, commonDir, objects, objectFormat: format.trim() };
}

/** For commands about the repository, not about one of its work trees. */
export function inCommonDir({ commonDir }: Pick<Repository, 'commonDir'>) {
  const place: GitPlace = { type: 'place', gitDir: commonDir, commonDir };
  return { cwd: commonDir, dir: 'repository', place } as const;
}

/** The folder's path below the top of the work tree, with slashes and no trailing one; '' at the top. */
export function prefixOf(repository: Pick<Repository, 'root' | 'top'>): string {
  return path.relative(repository.top, repository.root).split(path.sep).join('/');
}

/** The commit of a revision, or undefined (as in a repository without commits). */
export async function resolveCommit(cwd: string, revision: string): Promise<string | undefined> {
  const text = await gitText({
    cwd,
    dir: 'generated',
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
  });
  return typeof text === 'string' ? text.trim() : undefined;
}
