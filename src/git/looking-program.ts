import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { childEnvironment } from '../processes/child-environment.ts';
import { findGitPlace } from './find-git-place.ts';
import { findProgram } from './find-program.ts';
import { listConfig } from './list-config.ts';
import { type ConfigEntry, isPersons } from './program-keys.ts';
import { programsIn } from './repository-programs.ts';

/**
 * What makes a plain `git status`, `git diff` or `git log` start a program that the repository chose: a setting, a
 * hook, or the whole repository where it is none of the person's. Undefined where nothing does. For looks that a shell
 * has to run; those that Rondo runs itself start nothing.
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
  // Git refreshes the index on a look, and calls this hook then.
  return hooks.some(({ file }) => file.endsWith('post-index-change')) ? 'post-index-change' : undefined;
}

/**
 * Whether the index names repositories inside: git starts itself there, by their configuration. Looked for in the
 * bytes of the index, where a mode stands as it is; bytes that only look like one cost a question.
 */
async function hasGitlinks(gitDir: string): Promise<boolean> {
  const names = (await readdir(gitDir)).filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  const contents = await Promise.all(names.map((name) => readFile(path.join(gitDir, name))));
  return contents.some((content) => content.includes(GITLINK));
}

/** 0160000, in four bytes. */
const GITLINK = Buffer.from([0, 0, 0xe0, 0]);

function startsOnLook(entry: ConfigEntry): boolean {
  if (isPersons(entry)) return false;
  const { key, value } = entry;
  // `true` is git's own monitor.
  if (/^core\.fsmonitor$/i.test(key)) return !/^(?:true|false|yes|no|on|off|0|1|)$/i.test(value);
  return /^(?:diff\.external|diff\..*\.(?:command|textconv)|gpg\..*program|gpg\.program|core\.worktree)$/is.test(
    key,
  );
}
