import type { SessionFileChange } from '../ports/session-changes.ts';
import { type DiffOptions, fileChanges } from './file-changes.ts';
import type { GitFailure } from '../git/git-call.ts';
import { gitText } from '../git/run-git.ts';
import { mergeBase } from './open-worktree.ts';
import { findRepository, resolveCommit } from './repository.ts';
import { treeOfWork, uncommittedFiles } from './work-state.ts';
import { refused, type Refused, type Worktree } from './worktree.ts';

export interface WorktreeDiff {
  readonly type: 'diff';
  /** The commit to compare the current files with, committed or not. */
  readonly from: string;
  readonly changes: readonly SessionFileChange[];
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
  const [head, other, now, files] = await Promise.all([
    resolveCommit(repository.top, 'HEAD'),
    resolveCommit(repository.top, against),
    treeOfWork(repository),
    uncommittedFiles(repository.top),
  ]);
  const common = head === undefined || other === undefined ? undefined : await mergeBase(repository, head, other);
  const from = common ?? head ?? (await emptyTree(repository.top));
  if (typeof from !== 'string') return refused('git-failed', from.message);
  if (typeof now !== 'string') return refused('git-failed', now.message);
  const changes = await fileChanges(
    (args) => gitText({ cwd: repository.top, dir: 'generated', args }),
    from,
    now,
    options,
  );
  if ('type' in changes) return refused('git-failed', changes.message);
  const uncommitted = new Set('type' in files ? [] : files);
  return {
    type: 'diff',
    from,
    changes: changes.map((change) => (uncommitted.has(change.path) ? { ...change, isUncommitted: true } : change)),
  };
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
