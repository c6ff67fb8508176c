/**
 * Finds the git folder that a folder's files belong to, without running git. Git would read the configuration of
 * any repository it finds, and a project can contain one.
 *
 * 1. Only `.git` counts. A bare repository among the files is refused and reported, never used.
 * 2. A `.git` file counts only if the other side confirms it: a linked worktree that its repository lists, or a
 *    submodule stored in the surrounding repository.
 */
import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

export interface GitPlace {
  readonly type: 'place';
  /** The git folder of this work tree. For a linked worktree, a folder inside `commonDir`. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** The top of the work tree. Absent for the repository itself. */
  readonly top?: string;
}

type NoGitPlace =
  | { readonly type: 'none'; readonly message: string }
  | { readonly type: 'refused'; readonly message: string };

export async function findGitPlace(folder: string): Promise<GitPlace | NoGitPlace> {
  const start = await realpath(folder).catch(() => undefined);
  if (start === undefined) return { type: 'none', message: `Folder not found: ${folder}.` };
  for (let at = start; ; at = path.dirname(at)) {
    if (path.basename(at) === '.git') break;
    const git = path.join(at, '.git');
    const kind = await kindOf(git);
    if (kind === 'folder' && (await isGitDir(git))) return { type: 'place', gitDir: git, commonDir: git, top: at };
    if (kind === 'file') return await followGitFile(at, git);
    if (kind === 'link')
      return refused(`${git} is a symbolic link. Rondo doesn't follow it: put the repository in its place.`);
    if (await isGitDir(at))
      return refused(
        `${at} is a bare git repository among the project's files. Rondo doesn't use it, because its configuration can start programs. Move it out of the project or delete it.`,
      );
    if (path.dirname(at) === at) break;
  }
  return { type: 'none', message: `fatal: not a git repository: ${folder}` };
}

async function followGitFile(top: string, file: string): Promise<GitPlace | NoGitPlace> {
  const [, named] = /^gitdir: (.+?)\s*$/.exec(await readFile(file, 'utf8').catch(() => '')) ?? [];
  const gitDir = named === undefined ? undefined : await realpath(path.resolve(top, named)).catch(() => undefined);
  if (gitDir === undefined || !(await isLinkedDir(gitDir)))
    return refused(`${file} doesn't lead to a git repository.`);
  const back = await readLine(path.join(gitDir, 'gitdir'));
  if (back !== undefined && (await realpath(path.resolve(gitDir, back)).catch(() => undefined)) === file) {
    const common = await realpath(path.resolve(gitDir, (await readLine(path.join(gitDir, 'commondir'))) ?? '.'));
    if (path.dirname(gitDir) === path.join(common, 'worktrees'))
      return { type: 'place', gitDir, commonDir: common, top };
  }
  if (await isSubmoduleOf(path.dirname(top), gitDir)) return { type: 'place', gitDir, commonDir: gitDir, top };
  return refused(
    `${file} leads to ${gitDir}, which doesn't list ${top} as one of its worktrees. Run \`git worktree repair\` there if it is yours.`,
  );
}

async function isSubmoduleOf(folder: string, gitDir: string): Promise<boolean> {
  const around = await findGitPlace(folder);
  if (around.type !== 'place') return false;
  return [around.gitDir, around.commonDir].some((dir) => gitDir.startsWith(path.join(dir, 'modules') + path.sep));
}

/** Uses the same criteria as git. */
async function isGitDir(folder: string): Promise<boolean> {
  const kinds = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => kindOf(path.join(folder, name))));
  return kinds[0] !== 'absent' && isFolderLike(kinds[1]) && isFolderLike(kinds[2]);
}

async function isLinkedDir(folder: string): Promise<boolean> {
  return (await isGitDir(folder)) || (await kindOf(path.join(folder, 'commondir'))) === 'file';
}

type Kind = 'absent' | 'file' | 'folder' | 'link';

function isFolderLike(kind: Kind | undefined): boolean {
  return kind === 'folder' || kind === 'link';
}

async function kindOf(file: string): Promise<Kind> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats === undefined) return 'absent';
  return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file';
}

async function readLine(file: string): Promise<string | undefined> {
  return (await readFile(file, 'utf8').catch(() => undefined))?.trim();
}

function refused(message: string): NoGitPlace {
  return { type: 'refused', message };
}
