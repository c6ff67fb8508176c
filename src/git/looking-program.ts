import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { childEnvironment } from '../processes/child-environment.ts';
import { findGitPlace } from './find-git-place.ts';
import { findProgram } from './find-program.ts';
import { listConfig } from './list-config.ts';
import { type ConfigEntry, isPersons } from './program-keys.ts';
import { programsIn } from './repository-programs.ts';

/**
 * Returns what would make a plain `git status`, `git diff` or `git log` start a program chosen by the repository: a
 * setting, a hook, or the whole repository if it isn't the user's. Undefined if nothing does. Needed for read-only
 * commands that run in a shell; those that Rondo runs itself start no such program.
 */
export async function lookingProgram(cwd: string): Promise<string | undefined> {
  const place = await findGitPlace(cwd);
  if (place.type === 'none') return undefined;
  if (place.type === 'refused') return 'an embedded repository';
  const env = childEnvironment(process.env);
  const git = findProgram('git', env['PATH'], place.top === undefined ? [] : [place.top]);
  const entries = git === undefined ? undefined : await listConfig(git, place, env);
  if (entries === undefined) return 'an unreadable configuration';
  const setting = entries.find(startsOnLook);
  if (setting !== undefined) return setting.key;
  const { filters, hooks } = await programsIn(place, entries);
  const [filter] = filters;
  if (filter !== undefined) return `filter.${filter.name}`;
  if (await hasGitlinks(place.gitDir)) return 'a submodule';
  // Read-only commands refresh the index, and git then calls this hook.
  return hooks.some(({ file }) => file.endsWith('post-index-change')) ? 'post-index-change' : undefined;
}

/**
 * True if the index lists nested repositories, where git would run itself with their configuration. Searches the
 * raw bytes of the index for the mode. A false match only costs a question.
 */
async function hasGitlinks(gitDir: string): Promise<boolean> {
  const names = (await readdir(gitDir)).filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  const contents = await Promise.all(names.map((name) => readFile(path.join(gitDir, name))));
  return contents.some((content) => content.includes(GITLINK));
}

/** Mode 0160000 in four bytes. */
const GITLINK = Buffer.from([0, 0, 0xe0, 0]);

function startsOnLook(entry: ConfigEntry): boolean {
  if (isPersons(entry)) return false;
  const { key, value } = entry;
  // `true` is git's built-in monitor.
  if (/^core\.fsmonitor$/i.test(key)) return !/^(?:true|false|yes|no|on|off|0|1|)$/i.test(value);
  return /^(?:diff\.external|diff\..*\.(?:command|textconv)|gpg\..*program|gpg\.program|core\.worktree)$/is.test(
    key,
  );
}
