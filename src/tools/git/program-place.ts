// Resolves a program name and checks whether the program lies in a folder of the session.
import { accessSync, constants, realpathSync } from 'node:fs';
import path from 'node:path';

import { isBelow } from '../../security/paths/is-below.ts';

/** Finds a program on the PATH, excluding folders of the session. */
export function programOutside(name: string, roots: readonly string[]): string | undefined {
  return foundOnPath(name).find((file) => !isOwn(file, roots));
}

/** True if a shell would resolve the name to a program of the workspace. */
export function isProgramOfRoots(name: string, roots: readonly string[]): boolean {
  const [first] = foundOnPath(name);
  return first !== undefined && isOwn(first, roots);
}

function foundOnPath(name: string): readonly string[] {
  if (name === '' || name.includes('/')) return [];
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder === '' ? '.' : folder, name))
    .filter(isExecutable);
}

function isOwn(file: string, roots: readonly string[]): boolean {
  if (!path.isAbsolute(file)) return true;
  const target = realPathOf(file);
  return roots.some((root) => {
    const folder = realPathOf(root) ?? root;
    return target === undefined || isBelow(file, folder) || isBelow(target, folder);
  });
}

/** Undefined if it leads nowhere. */
export function realPathOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
