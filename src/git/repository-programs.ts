/** The programs that the repository's settings would start on a commit, for the approval question before it. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { childEnvironment } from '../processes/child-environment.ts';
import { findGitPlace, type GitPlace } from './find-git-place.ts';
import { findProgram } from './find-program.ts';
import { listConfig } from './list-config.ts';
import { type ConfigEntry, type ForeignFilter, overridesFor } from './program-keys.ts';

export interface RepositoryPrograms {
  /** Filters that only the repository defines. */
  readonly filters: readonly ForeignFilter[];
  readonly hooks: readonly Hook[];
}

interface Hook {
  readonly file: string;
  readonly sha256: string;
}

const NONE: RepositoryPrograms = { filters: [], hooks: [] };

export async function repositoryPrograms(cwd: string): Promise<RepositoryPrograms> {
  const place = await findGitPlace(cwd);
  if (place.type !== 'place') return NONE;
  const env = childEnvironment(process.env);
  const outside = place.top === undefined ? [] : [place.top];
  const git = findProgram('git', env['PATH'], outside);
  const entries = git === undefined ? undefined : await listConfig(git, place, env);
  return entries === undefined ? NONE : programsIn(place, entries);
}

/** The same, for settings that are already loaded. */
export async function programsIn(place: GitPlace, entries: readonly ConfigEntry[]): Promise<RepositoryPrograms> {
  const env = childEnvironment(process.env);
  const outside = place.top === undefined ? [] : [place.top];
  const hasLfs = findProgram('git-lfs', env['PATH'], outside) !== undefined;
  const configured = entries.findLast(({ key }) => key === 'core.hookspath')?.value;
  const folder = path.resolve(place.top ?? place.gitDir, configured ?? path.join(place.commonDir, 'hooks'));
  const hooks = await Promise.all(COMMIT_HOOKS.map((name) => readHook(path.join(folder, name))));
  return { filters: overridesFor(entries, { hasLfs }).foreign, hooks: hooks.flatMap((hook) => hook ?? []) };
}

const COMMIT_HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
];

async function readHook(file: string): Promise<Hook | undefined> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o111) === 0) return undefined;
    return {
      file,
      sha256: createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    };
  } catch {
    return undefined;
  }
}
