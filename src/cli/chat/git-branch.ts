import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The branch checked out in a folder, read from git's HEAD file. Undefined outside a repository. */
export async function gitBranch(folder: string): Promise<string | undefined> {
  const { root } = path.parse(folder);
  for (let at = folder; ; at = path.dirname(at)) {
    const head = await headOf(path.join(at, '.git'));
    if (head !== undefined) {
      const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
      return branch?.trim() ?? head.trim().slice(0, 8);
    }
    if (at === root) return undefined;
  }
}

/** `.git` is a folder, or in a worktree a file that names one. */
async function headOf(git: string): Promise<string | undefined> {
  const inFolder = await textOf(path.join(git, 'HEAD'));
  if (inFolder !== undefined) return inFolder;
  const folder = /^gitdir: (.+)$/m.exec((await textOf(git)) ?? '')?.[1];
  return folder === undefined
    ? undefined
    : textOf(path.join(path.resolve(path.dirname(git), folder.trim()), 'HEAD'));
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
