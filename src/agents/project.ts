/**
 * Which project a folder belongs to: the nearest folder upwards, no further than the repository's root,
 * that holds `rondo.json` or `.rondo/`. Outside a repository only the folder itself counts, so that
 * nothing planted in a shared parent such as `/tmp` is picked up.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

import { Fault } from '../kernel/fault.ts';

export interface Project {
  /** The folder with the configuration; else the repository's root; else the working folder. */
  readonly folder: string;
  /** Where instruction files and resources may come from: the repository's root, else `folder`. */
  readonly root: string;
  /** What trust and saved rules are kept by. A worktree is known by its main repository. */
  readonly identity: string;
  /** What of `.rondo` and `rondo.json` the folder has. Not the user's own `$RONDO_HOME`, where that is its name. */
  readonly parts: readonly string[];
}

export async function findProject(cwd: string, home: string): Promise<Project> {
  const start = realFolder(cwd);
  const ownHome = existsSync(home) ? realpathSync.native(home) : path.resolve(home);
  const root = upwards(start, (at) => existsSync(path.join(at, '.git')));
  if (root === undefined) return { folder: start, root: start, identity: start, parts: partsIn(start, ownHome) };
  const main = await mainRepository(root);
  const nearest = (from: string, top: string) => upwards(from, (at) => partsIn(at, ownHome).length > 0, top);
  const own = nearest(start, root);
  // A configuration that was never committed is in no worktree; the one of the repository it belongs to holds.
  const folder = own ?? (main === root ? undefined : nearest(path.join(main, path.relative(root, start)), main));
  const identity = own === undefined ? (folder ?? main) : path.join(main, path.relative(root, own));
  return { folder: folder ?? root, root, identity, parts: partsIn(folder ?? root, ownHome) };
}

/** The nearest folder that fits, no further than `top`. */
function upwards(from: string, fits: (folder: string) => boolean, top?: string): string | undefined {
  for (let at = from; ; at = path.dirname(at)) {
    if (fits(at)) return at;
    if (at === top || path.dirname(at) === at) return undefined;
  }
}

/** Of a worktree, the repository it belongs to: only if that repository knows the worktree too. */
async function mainRepository(root: string): Promise<string> {
  const link = path.join(root, '.git');
  if (lstatSync(link).isDirectory()) return root;
  const pointer = /^gitdir: (.+)$/m.exec(await readFile(link, 'utf8').catch(() => ''))?.[1];
  if (pointer === undefined) return root;
  const gitFolder = path.resolve(root, pointer.trim());
  const found = /^(.+)[\\/]\.git[\\/]worktrees[\\/][^\\/]+$/.exec(gitFolder)?.[1];
  if (found === undefined) return root;
  const back = await readFile(path.join(gitFolder, 'gitdir'), 'utf8').catch(() => '');
  const knows =
    path.resolve(gitFolder, back.trim()) === link || (await realpath(back.trim()).catch(() => '')) === link;
  return knows ? await realpath(found).catch(() => root) : root;
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (cause) {
    throw new Fault('not-found', `Folder ${folder} doesn't exist. Create it, or choose another one.`, {
      cause,
    });
  }
}

// Asked at every start and for every folder upwards: as promises these few questions cost milliseconds.
function partsIn(folder: string, ownHome: string): readonly string[] {
  return ['.rondo', 'rondo.json'].filter((name) => {
    const part = path.join(folder, name);
    return part !== ownHome && existsSync(part);
  });
}
