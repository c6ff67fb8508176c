/** What git needs inside a sandbox: its folders outside the root, and the user's name. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { childEnvironment } from '../processes/child-environment.ts';
import { findGitPlace } from './find-git-place.ts';
import { findProgram } from './find-program.ts';
import { personSettings } from './person-settings.ts';

/**
 * Returns the git folders of a linked worktree. Excludes a repository around the root, because its other files
 * would look deleted.
 */
export async function outerGitDirs(root: string): Promise<readonly string[]> {
  const place = await findGitPlace(root);
  if (place.type !== 'place' || place.gitDir === path.join(place.top ?? '', '.git')) return [];
  return [...new Set([place.commonDir, place.gitDir])];
}

let temporary: Promise<string> | undefined;

/** Writes a configuration file that holds the user's name and email address, and no program. */
export async function identityFile(kept: string | undefined): Promise<string | undefined> {
  const env = childEnvironment(process.env);
  const git = findProgram('git', env['PATH'], []);
  if (git === undefined) return undefined;
  const text = await personSettings(git, env);
  const name = `gitconfig-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  const folder = kept ?? (await (temporary ??= mkdtemp(path.join(os.tmpdir(), 'rondo-identity-'))));
  const file = path.join(folder, name);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
  return file;
}
