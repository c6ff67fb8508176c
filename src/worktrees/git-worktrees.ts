import type { GitFailure } from '../git/git-call.ts';
import { gitText } from '../git/run-git.ts';

/** A work tree as git lists it. */
export interface GitWorktree {
  readonly path: string;
  readonly head?: string;
  /** Without `refs/heads/`. Absent while HEAD is detached. */
  readonly branch?: string;
  readonly isLocked: boolean;
}

export async function listGitWorktrees(cwd: string): Promise<readonly GitWorktree[] | GitFailure> {
  const text = await gitText({ cwd, dir: 'repository', args: ['worktree', 'list', '--porcelain', '-z'] });
  if (typeof text !== 'string') return text;
  return text.split('\0\0').flatMap((entry) => {
    const lines = entry.split('\0');
    const value = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
    const path = value('worktree');
    if (path === undefined || lines.includes('bare')) return [];
    const head = value('HEAD');
    const branch = value('branch')?.replace(/^refs\/heads\//, '');
    const isLocked = lines.some((line) => line === 'locked' || line.startsWith('locked '));
    return [{ path, isLocked, ...(head !== undefined && { head }), ...(branch !== undefined && { branch }) }];
  });
}
