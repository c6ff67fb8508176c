import { type DiffOptions, type FileChange, fileChanges } from './file-changes.ts';
import type { GitFailure } from '../git/git-call.ts';
import { gitText } from '../git/run-git.ts';
import { mergeBase } from './open-worktree.ts';
import { findRepository, resolveCommit } from './repository.ts';
import { treeOfWork } from './work-state.ts';
import { refused, type Refused, type Worktree } from './worktree.ts';

export interface WorktreeDiff {
  readonly type: 'diff';
  /** The commit to compare the current files with, committed or not. */
  readonly from: string;
  readonly changes: readonly FileChange[];
}

/** What a worktree has that its base branch doesn't. */
export async function diffWorktree(
  worktree: Worktree,
  options: DiffOptions = {},
): Promise<WorktreeDiff | Refused> {
  return await diffFolder(worktree.path, worktree.baseBranch ?? worktree.base, options);
}

/** The current files of a folder's repository compared with the point where its branch left another one. */
export async function diffFolder(
  folder: string,
  against: string,
  options: DiffOptions = {},
): Promise<WorktreeDiff | Refused> {
  const repository = await findRepository(folder);
  if (repository.type === 'no-repository') return refused('no-repository', `${repository.why}.`);
  if (repository.type === 'failed') return refused('git-failed', repository.message);
  const head = await resolveCommit(repository.top, 'HEAD');
  const other = await resolveCommit(repository.top, against);
  const common = head === undefined || other === undefined ? undefined : await mergeBase(repository, head, other);
  const from = common ?? head ?? (await emptyTree(repository.top));
  if (typeof from !== 'string') return refused('git-failed', from.message);
  const now = await treeOfWork(repository);
  if (typeof now !== 'string') return refused('git-failed', now.message);
  const changes = await fileChanges(
    (args) => gitText({ cwd: repository.top, dir: 'generated', args }),
    from,
    now,
    options,
  );
  return 'type' in changes ? refused('git-failed', changes.message) : { type: 'diff', from, changes };
}

async function emptyTree(cwd: string): Promise<string | GitFailure> {
  const text = await gitText({
    cwd,
    dir: 'generated',
    args: ['hash-object', '-t', 'tree', '-w', '--stdin'],
    input: '',
  });
  return typeof text === 'string' ? text.trim() : text;
}
