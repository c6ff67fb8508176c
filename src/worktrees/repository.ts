import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { type Failed, gitText, runGit } from './git.ts';

/** The git repository a folder lies in, all paths real and absolute. */
export interface Repository {
  readonly type: 'repository';
  /** The folder itself, and the top of its work tree. */
  readonly root: string;
  readonly top: string;
  /** Of this work tree; of a linked one a folder inside `commonDir`. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objects: string;
  readonly objectFormat: string;
}

export interface NoRepository {
  readonly type: 'no-repository';
  /** For people: what is missing, a repository or git itself. */
  readonly why: string;
}

export async function findRepository(folder: string): Promise<Repository | NoRepository | Failed> {
  let root: string;
  try {
    root = await realpath(folder);
  } catch {
    return { type: 'failed', message: `The folder ${folder} is not there.` };
  }
  const answer = await runGit({
    cwd: root,
    args: [
      'rev-parse',
      '--path-format=absolute',
      '--git-dir',
      '--git-common-dir',
      '--git-path',
      'objects',
      '--show-object-format',
      '--show-toplevel',
    ],
  });
  if (answer.type === 'failed') {
    return answer.isMissing === true
      ? { type: 'no-repository', why: 'git is not installed here, or not on PATH' }
      : answer;
  }
  const none: NoRepository = { type: 'no-repository', why: `${folder} is in no git repository` };
  if (answer.code !== 0 && /not a git repository/i.test(answer.stderr)) return none;
  const [gitDir, commonDir, objects, objectFormat, top] = answer.stdout.split('\n');
  // A folder inside `.git`, and a repository without a work tree, hold no files of anybody's work.
  if (/must be run in a work tree/i.test(answer.stderr)) return none;
  if (answer.code !== 0 || !gitDir || !commonDir || !objects || !objectFormat || !top)
    return { type: 'failed', message: `git could not say where ${root} belongs: ${answer.stderr.trim()}` };
  return {
    type: 'repository',
    root,
    top: await realpath(top),
    gitDir: await realpath(gitDir),
    commonDir: await realpath(commonDir),
    objects,
    objectFormat,
  };
}

/** The folder's place below the top of the work tree, with slashes and no trailing one; '' at the top. */
export function prefixOf(repository: Pick<Repository, 'root' | 'top'>): string {
  return path.relative(repository.top, repository.root).split(path.sep).join('/');
}

/** The commit a revision names; undefined where there is none (a repository without commits). */
export async function resolveCommit(cwd: string, revision: string): Promise<string | undefined> {
  const text = await gitText({
    cwd,
    args: ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
  });
  return typeof text === 'string' ? text.trim() : undefined;
}
