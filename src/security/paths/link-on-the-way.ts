import { lstatSync, type Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * The first symbolic link between a folder and a path below it. A command may have put it there: Rondo, which isn't
 * confined, would then read, write or delete behind it (S8).
 */
export function linkOnTheWay(folder: string, file: string): string | undefined {
  return foldersBetween(folder, file).find((at) => statsAt(at)?.isSymbolicLink() === true);
}

/** Removes whatever stands in place of a folder between the two. */
export async function clearTheWay(folder: string, file: string): Promise<void> {
  const wrong = foldersBetween(folder, file).find((at) => statsAt(at)?.isDirectory() === false);
  if (wrong !== undefined) await rm(wrong, { force: true });
}

/** Undefined if nothing is there. Never follows the path's last part. */
export function statsAt(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function foldersBetween(folder: string, file: string): readonly string[] {
  const parts = path.relative(folder, file).split(path.sep).slice(0, -1);
  return parts.map((_, index) => path.join(folder, ...parts.slice(0, index + 1)));
}
