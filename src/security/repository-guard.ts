/**
 * Keeps the parts of a repository that decide what git starts, or where it is, as they were before a command that may
 * write to it. Existing folders (hooks, info, modules, worktrees) are read-only in the sandbox itself.
 */
import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FILES = ['config', 'config.worktree', 'commondir', 'gitdir'];
const FOLDERS = ['hooks', 'info', 'modules', 'worktrees'];

export interface HeldRepository {
  /** Puts back what has changed, and says what that was. */
  restore(): Promise<readonly string[]>;
}

/** `folders`: roots, whose `.git` counts, and git folders themselves. */
export async function holdRepository(folders: readonly string[]): Promise<HeldRepository> {
  const gitDirs = (await Promise.all(folders.map(gitDirOf))).flat();
  const paths = gitDirs.flatMap((dir) => [...FILES, ...FOLDERS].map((name) => path.join(dir, name)));
  const before = await Promise.all(paths.map(contentOf));
  return {
    async restore() {
      const notes: string[] = [];
      for (const [index, file] of paths.entries()) {
        const was = before[index];
        const is = await contentOf(file);
        if (was === 'folder' || is === was || (is instanceof Buffer && was instanceof Buffer && is.equals(was)))
          continue;
        await rm(file, { recursive: true, force: true });
        if (was instanceof Buffer) await writeFile(file, was);
        notes.push(`${file} decides what git starts, so the command's change to it was undone.`);
      }
      return notes;
    },
  };
}

async function gitDirOf(folder: string): Promise<readonly string[]> {
  const stats = await lstat(path.join(folder, '.git')).catch(() => undefined);
  if (stats?.isDirectory() === true) return [path.join(folder, '.git')];
  const isGitDir = await lstat(path.join(folder, 'HEAD')).then(
    () => true,
    () => false,
  );
  return isGitDir ? [folder] : [];
}

async function contentOf(file: string): Promise<Buffer | 'absent' | 'folder' | 'other'> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats === undefined) return 'absent';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? await readFile(file) : 'other';
}
