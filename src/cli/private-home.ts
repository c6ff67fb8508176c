/** Restricts $RONDO_HOME to its user: it contains prompts, answers, keys and tokens (S11). */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Removes other users' permissions from the folder and its direct entries, which makes deeper ones unreachable.
 * Skips links. Returns the paths that couldn't be changed, for a warning.
 */
export function tightenHome(home: string): readonly string[] {
  if (process.platform === 'win32') return [];
  const stats = lstatSync(home, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return [];
  const open: string[] = [];
  tighten(home, stats.mode, open);
  for (const name of namesIn(home)) {
    const file = path.join(home, name);
    const entry = lstatSync(file, { throwIfNoEntry: false });
    if (entry?.isFile() === true || entry?.isDirectory() === true) tighten(file, entry.mode, open);
  }
  return open;
}

function tighten(file: string, mode: number, open: string[]): void {
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(file, mode & 0o700);
  } catch {
    open.push(file);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
