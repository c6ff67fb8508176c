// Finds where a folder's repository stores its files, without running git.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The git folder that a folder belongs to. For a linked worktree, the common one. */
export function gitDirOf(folder: string): string | undefined {
  const gitPath = nearest(folder, '.git');
  if (gitPath === undefined || statSync(gitPath, { throwIfNoEntry: false })?.isFile() !== true) return gitPath;
  const [, linked] = /^gitdir:\s*(.*)$/m.exec(smallFileText(gitPath) ?? '') ?? [];
  if (linked === undefined) return undefined;
  const own = path.resolve(path.dirname(gitPath), linked);
  const common = smallFileText(path.join(own, 'commondir'))?.trim();
  return common === undefined ? own : path.resolve(own, common);
}

/** Returns the path of `name` in this folder or its nearest ancestor that has one. */
export function nearest(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const candidate = path.join(at, name);
    if (existsSync(candidate)) return candidate;
    if (path.dirname(at) === at) return undefined;
  }
}

const LARGEST = 1_000_000;

/** The text of a regular file of moderate size. */
export function smallFileText(file: string): string | undefined {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= LARGEST ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
