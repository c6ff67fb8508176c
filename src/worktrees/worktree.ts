/**
 * A worktree is a place of its own to work in: a branch of the person's repository, checked out beside it.
 *
 * 1. Two sessions never work in one: whoever works there holds its lease (`lease-file.ts`).
 * 2. Nothing in it is destroyed: it is removed only when it is free, clean and merged, or when all of it
 *    is in a checkpoint (P12).
 * 3. The repository is the truth. The record beside it only says what git does not know: where the work
 *    began and where it is to go back to.
 */
export interface Worktree {
  /** Unique in its repository; no slash. */
  readonly name: string;
  readonly path: string;
  readonly branch: string;
  /** The commit it began at, and the branch of that moment; none where HEAD was detached. */
  readonly base: string;
  readonly baseBranch?: string;
  readonly createdAt: number;
  /** The newest session that worked in it. */
  readonly session?: string;
  /** Commands of the configuration that have to run yet before anybody works in it. */
  readonly toSetUp: readonly string[];
}

export interface WorktreeSettings {
  /** Where worktrees are put. */
  readonly folder: string;
  readonly branchPrefix: string;
  /** Globs of files that git ignores and a new worktree needs. */
  readonly copy: readonly string[];
  /** Commands run in a new worktree, by a shell. */
  readonly setUp: readonly string[];
}

/** Why something was not done; nothing was changed, unless the message says so. */
export interface Refused {
  readonly type: 'refused';
  readonly code: RefusalCode;
  readonly message: string;
  /** The files it is about. */
  readonly files?: readonly string[];
}

export type RefusalCode =
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
  | 'git-failed';

export function refused(code: RefusalCode, message: string, files?: readonly string[]): Refused {
  return { type: 'refused', code, message, ...(files !== undefined && { files }) };
}
