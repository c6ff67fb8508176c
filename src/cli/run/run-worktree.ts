import type { Session } from '../../session/handle/session.ts';
import { counted } from '../../wording/counted.ts';
import type { Worktree } from '../../worktrees/worktree.ts';
import type { Workspace } from '../workspace.ts';
import type { RunRecord } from './run-output.ts';

interface EndedInWorktree {
  /** Absent if it was removed. */
  readonly worktree?: NonNullable<RunRecord['worktree']>;
  readonly text: string;
}

/** Finishes a run's worktree: keeps it unless the configuration says otherwise, and suggests the next commands. */
export async function endInWorktree(workspace: Workspace, session: Session): Promise<EndedInWorktree> {
  const { worktrees, folders } = workspace;
  const { cwd, title } = await session.status();
  const worktree = await worktrees.at(cwd);
  if (worktree === undefined) {
    const listed = await worktrees.list(cwd);
    const why = 'type' in listed ? listed.message : `${cwd} isn't one of its worktrees.`;
    return { text: `The worktree of this session is gone: ${why}\n` };
  }
  const diff = await worktrees.diff(worktree.path, worktree.name);
  const files = diff.type === 'diff' ? diff.changes.length : 0;
  const { name, path, branch } = worktree;
  const atEnd = (await folders.in(cwd)).config.config.worktrees?.atEnd ?? 'keep';
  const text = await endAs(atEnd, workspace, {
    worktree,
    session: session.id,
    title: title ?? `Work of ${session.id}`,
  });
  return { worktree: { name, path, branch, files }, text: text ?? kept(worktree, files) };
}

interface Ending {
  readonly worktree: Worktree;
  readonly session: string;
  readonly title: string;
}

/** Undefined if it is kept as it is. */
async function endAs(
  atEnd: 'keep' | 'commit' | 'remove',
  { worktrees }: Workspace,
  { worktree, session, title }: Ending,
): Promise<string | undefined> {
  const { name, path } = worktree;
  switch (atEnd) {
    case 'keep':
      return undefined;
    case 'commit': {
      const committed = await worktrees.commit(path, name, title);
      if (committed.type === 'committed')
        return `Worktree ${name}: ${counted(committed.files.length, 'file')} committed on ${worktree.branch}.\n  rondo worktrees merge ${name}\n`;
      return committed.code === 'nothing-to-commit' ? undefined : `${committed.message}\n`;
    }
    case 'remove': {
      const removed = await worktrees.remove(path, name, { withCheckpoint: false, at: Date.now(), session });
      return removed.type === 'removed'
        ? `Removed worktree ${name}: it had no changes.\n`
        : `${removed.message}\n`;
    }
  }
}

function kept({ name, branch, path }: Worktree, files: number): string {
  const what = `${counted(files, 'file')} ${files === 1 ? 'differs' : 'differ'}`;
  return `Kept worktree ${name} (branch ${branch}) at ${path}; ${what}.
  rondo worktrees diff ${name} --patch
  rondo worktrees commit ${name} -m "…"
  rondo worktrees merge ${name}
  rondo worktrees remove ${name}
`;
}
