import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { childEnvironment } from '../processes/child-environment.ts';
import { findGitPlace } from './find-git-place.ts';
import { findProgram } from './find-program.ts';
import { listConfig } from './list-config.ts';
import { type ConfigEntry, isPersons } from './program-keys.ts';
import { programsIn, type RepositoryPrograms } from './repository-programs.ts';

/**
 * Returns what would make a plain `git status`, `git diff` or `git log` start a program chosen by the repository: a
 * setting, a hook, or the whole repository if it isn't the user's. Undefined if nothing does. Needed for read-only
 * commands that run in a shell; those that Rondo runs itself start no such program.
 */
export async function lookingProgram(cwd: string): Promise<string | undefined> {
  const look = await namedPrograms(cwd, startsOnLook);
  const [named] = look.programs;
  if (named !== undefined) return named.name;
  // Read-only commands refresh the index, and git then calls this hook.
  return look.hooks.some(({ file }) => file.endsWith('post-index-change')) ? 'post-index-change' : undefined;
}

/** Programs that the repository's settings, besides hooks, make `git add`, `commit`, `merge` and others start. */
export async function changingPrograms(cwd: string): Promise<readonly NamedProgram[]> {
  return (await namedPrograms(cwd, startsOnChange)).programs;
}

export interface NamedProgram {
  readonly name: string;
  readonly value: string;
}

async function namedPrograms(
  cwd: string,
  starts: (entry: ConfigEntry) => boolean,
): Promise<{ readonly programs: readonly NamedProgram[]; readonly hooks: RepositoryPrograms['hooks'] }> {
  const only = (name: string) => ({ programs: [{ name, value: '' }], hooks: [] });
  const place = await findGitPlace(cwd);
  if (place.type === 'none') return { programs: [], hooks: [] };
  if (place.type === 'refused') return only('an embedded repository');
  const env = childEnvironment(process.env);
  const git = findProgram('git', env['PATH'], place.top === undefined ? [] : [place.top]);
  const entries = git === undefined ? undefined : await listConfig(git, place, env);
  if (entries === undefined) return only('an unreadable configuration');
  const { filters, hooks } = await programsIn(place, entries);
  const programs = [
    ...entries.filter(starts).map(({ key, value }) => ({ name: key, value })),
    ...filters.map(({ name, command }) => ({ name: `filter.${name}`, value: command })),
    ...((await hasGitlinks(place.gitDir)) ? [{ name: 'a submodule', value: '' }] : []),
  ];
  return { programs, hooks };
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

function startsOnChange(entry: ConfigEntry): boolean {
  if (startsOnLook(entry)) return true;
  return !isPersons(entry) && /^(?:merge\..*\.driver|core\.editor|sequence\.editor)$/is.test(entry.key);
}

function startsOnLook(entry: ConfigEntry): boolean {
  if (isPersons(entry)) return false;
  const { key, value } = entry;
  // `true` is git's built-in monitor.
  if (/^core\.fsmonitor$/i.test(key)) return !/^(?:true|false|yes|no|on|off|0|1|)$/i.test(value);
  return /^(?:diff\.external|diff\..*\.(?:command|textconv)|gpg\..*program|gpg\.program|core\.worktree)$/is.test(
    key,
  );
}
