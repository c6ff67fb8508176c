/**
 * Looks whether git would read something outside of a clone. An agent can write into its clone's git folder, also in a
 * sandbox; a link there would lead Rondo's own git, which runs outside of the sandbox, to the history of another
 * repository, and Rondo would save and push it.
 */
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { findGitPlace } from '../git/find-git-place.ts';
import type { GitFailure } from '../git/git-call.ts';

/** Undefined if a clone reads nothing but itself and its cache's objects. */
export async function wayOut(folder: string, cacheFolder: string): Promise<GitFailure | undefined> {
  const top = await realOf(folder);
  const gitDir = path.join(top, '.git');
  const place = await findGitPlace(top);
  if (place.type === 'refused') return { type: 'failed', message: place.message };
  // Without its own git folder, git uses a repository around it, such as one with a person's settings.
  if (place.type === 'none' || place.top !== top) return gone(folder);
  const link =
    place.gitDir === gitDir ? ((await linkIn(gitDir)) ?? (await foreignObjects(gitDir, cacheFolder))) : '.git';
  if (link === undefined) return undefined;
  const message = `${path.join(gitDir, path.relative('.git', link))} leads out of the clone, so its files are neither saved nor pushed. Remove it and send another prompt.`;
  return { type: 'failed', message };
}

export function gone(folder: string): GitFailure {
  return { type: 'failed', message: `The clone in ${folder} is gone or no longer a git repository.` };
}

/** Of what git follows for refs and objects; the names of single objects elsewhere can't be known. */
async function linkIn(gitDir: string): Promise<string | undefined> {
  for (const name of ['HEAD', 'packed-refs', 'commondir', 'refs', 'reftable', 'objects']) {
    const isSharing = name === 'commondir' && (await isThere(path.join(gitDir, name)));
    if (isSharing || (await isLink(path.join(gitDir, name)))) return path.join('.git', name);
  }
  for (const [name, recursive] of [
    ['refs', true],
    ['objects', false],
    ['objects/pack', false],
    ['objects/info', false],
  ] as const) {
    const folder = path.join(gitDir, name);
    const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => []);
    const link = entries.find((entry) => entry.isSymbolicLink());
    if (link !== undefined) return path.join('.git', path.relative(gitDir, path.join(link.parentPath, link.name)));
  }
  return undefined;
}

async function foreignObjects(gitDir: string, cacheFolder: string): Promise<string | undefined> {
  const name = path.join('objects', 'info', 'alternates');
  const text = await readFile(path.join(gitDir, name), 'utf8').catch(() => '');
  const own = await realOf(path.join(cacheFolder, 'objects'));
  for (const line of text.split('\n').filter((one) => one !== '')) {
    if ((await realOf(line)) !== own) return path.join('.git', name);
  }
  return undefined;
}

async function realOf(file: string): Promise<string> {
  return await realpath(file).catch(() => file);
}

async function isThere(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}

async function isLink(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined))?.isSymbolicLink() === true;
}
