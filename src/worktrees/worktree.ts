/**
 * A worktree is a branch of the person's repository, checked out in a separate folder.
 *
 * 1. Two sessions never share one: a session that works there holds its lease (`lease-file.ts`).
 * 2. Rondo destroys no work: it removes a worktree only if it is free, clean and merged, or fully saved in a
 *    checkpoint (P12).
 * 3. The repository is the source of truth. Rondo's record holds only what git doesn't know: where the work began
 *    and where to merge it.
 */
export interface Worktree {
  /** Unique in its repository; no slash. */
  readonly name: string;
  readonly path: string;
  readonly branch: string;
  /** The commit where it began, and the branch at that moment; none if HEAD was detached. */
  readonly base: string;
  readonly baseBranch?: string;
  readonly createdAt: number;
  /** The newest session that worked in it. */
  readonly session?: string;
  /** Set-up commands that must still run before a session works here. */
  readonly toSetUp: readonly string[];
}

export interface WorktreeSettings {
  /** The folder for new worktrees. */
  readonly folder: string;
  readonly branchPrefix: string;
  /** Globs of ignored files that a new worktree needs. */
  readonly copy: readonly string[];
  /** Shell commands to run in a new worktree. */
  readonly setUp: readonly string[];
}

/** Why Rondo refused. Nothing changed unless the message says otherwise. */
export interface Refused {
  readonly type: 'refused';
  readonly code: WorktreeRefusalCode;
  readonly message: string;
  /** The affected files. */
  readonly files?: readonly string[];
}

type WorktreeRefusalCode =
  | 'no-worktree'
  | 'no-repository'
  | 'no-commits'
  | 'bad-name'
  | 'no-base'
  | 'path-exists'
  | 'branch-in-use'
  | 'in-use'
  | 'set-up-failed'
  | 'uncommitted'
  | 'unfinished'
  | 'unmerged'
  | 'conflict'
  | 'no-target'
  | 'nothing-to-commit'
  | 'not-kept'
  | 'no-file'
  | 'withheld'
  | 'git-failed';

export function refused(code: WorktreeRefusalCode, message: string, files?: readonly string[]): Refused {
  return { type: 'refused', code, message, ...(files !== undefined && { files }) };
}
