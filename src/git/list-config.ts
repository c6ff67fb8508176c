import { execFile } from 'node:child_process';

import type { GitPlace } from './find-git-place.ts';
import { type ConfigEntry, readEntries } from './program-keys.ts';

/** Lists all settings that apply to a repository, each with its scope. Listing starts no program. */
export async function listConfig(
  git: string,
  { gitDir, top }: GitPlace,
  env: Readonly<Record<string, string>>,
): Promise<readonly ConfigEntry[] | undefined> {
  const dirs = { GIT_DIR: gitDir, ...(top !== undefined && { GIT_WORK_TREE: top }) };
  const text = await outputOf(git, ['config', '--list', '-z', '--show-scope'], { ...env, ...dirs });
  return text === undefined ? undefined : readEntries(text);
}

/** The output of a program. Undefined if it failed. */
export function outputOf(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: 10_000, maxBuffer: 50_000_000 }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
