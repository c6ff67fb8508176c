import { randomBytes } from 'node:crypto';

import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { worktreeName } from '../worktrees/worktree-name.ts';
import { fileExists } from './file-exists.ts';

/** Identifies this home, whichever process uses it. */
export async function readHomeId(root: string): Promise<string> {
  const file = path.join(root, 'home-id');
  await mkdir(root, { recursive: true, mode: 0o700 });
  await writeFile(file, `home_${randomBytes(12).toString('hex')}\n`, { flag: 'wx', mode: 0o600 }).catch(
    () => undefined,
  );
  return (await readFile(file, 'utf8')).trim();
}

export function branchName(title: string | undefined, session: SessionId): string {
  const words =
    worktreeName((title ?? 'work').toLowerCase())
      ?.replaceAll('.', '-')
      .slice(0, 40) ?? 'work';
  return `rondo/${words.replace(/-+$/, '')}-${session.slice(-6).toLowerCase()}`;
}

export function checkFolder(folder: string | undefined): void {
  if (folder === undefined) return;
  if (path.isAbsolute(folder) || folder.split(/[\\/]/).some((part) => part === '..' || part === '.git')) {
    throw new Fault('not-found', `Invalid folder "${folder}": name one below the top of the repository.`);
  }
}

/** A folder of a clone, wherever links lead inside it. Undefined if there is none, or if it is outside. */
export async function folderIn(top: string, folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return top;
  const real = await realpath(path.join(top, folder)).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) return undefined;
  const relative = path.relative(await realpath(top), real);
  const [first] = relative.split(path.sep);
  return first === '..' || first === '.git' || path.isAbsolute(relative) ? undefined : path.join(top, relative);
}

/** Without a clone there is only what an interrupted move left. */
export async function moveAside(folder: string, top: string, epoch: number): Promise<void> {
  if (await fileExists(top)) await rename(folder, `${folder}${asideMark}${epoch}`);
  else await rm(folder, { recursive: true, force: true });
}

export const asideMark = '-before-';
