/**
 * All operations on the worktrees of a folder's repository. Each call reads the repository; nothing is cached
 * between calls.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { branchOfFolder } from '../git/checked-out.ts';
import type { DiffOptions } from './file-changes.ts';
import { commitWorktree, type Committed } from './commit-worktree.ts';
import { runGit } from '../git/run-git.ts';
import { claimLease, type Holders, type Lease, leaseOf, releaseLease } from './lease-file.ts';
import { mergedTree, mergeWorktree, type Merged, type MergeRequest } from './merge-worktree.ts';
import { openWorktree, type Opened, type OpenRequest } from './open-worktree.ts';
import { reconcileWorktrees, type Reconciled } from './reconcile.ts';
import { removeWorktree, type Removed, type RemoveRequest } from './remove-worktree.ts';
import { findRepository, type Repository } from './repository.ts';
import {
  commitIn,
  discardIn,
  planPush,
  pushFrom,
  type Discarded,
  type Pushed,
  type PushPlan,
  type ConfirmedPush,
} from './session-branch.ts';
import { uncommittedFiles } from './work-state.ts';
import { refused, type Refused, type Worktree, type WorktreeSettings } from './worktree.ts';
import { shownFile, type ShownFile } from './shown-file.ts';
import { diffFolder, diffWorktree, type WorktreeDiff } from './worktree-changes.ts';
import { dropRecord, leaseFolder, readRecord, readRecords } from './worktree-records.ts';

export interface WorktreeView extends Worktree {
  /** `missing`: on a disk that isn't mounted. */
  readonly state: 'ready' | 'missing';
  readonly lease?: Lease;
  readonly uncommitted: number;
  /** Commits that only this branch has, and commits that only its base branch has. */
  readonly ahead: number;
  readonly behind: number;
}

interface Review {
  readonly type: 'ready';
  readonly branch: string;
  readonly base?: string;
  readonly commit: string;
  readonly ahead: number;
  readonly behind: number;
  readonly files: number;
  /** Files with merge conflicts; empty for a clean merge. */
  readonly conflicts: readonly string[];
}

/** Git worktrees as leased resources. Rondo never removes one that holds work. */
export interface Worktrees {
  open(request: OpenRequest): Promise<Opened | Refused>;
  /** Reopens a session's worktree. Undefined if the folder isn't one of Rondo's worktrees. */
  enter(folder: string, session: string, at: number): Promise<Worktree | Refused | undefined>;
  /** Frees the worktree of an ended session and keeps its content. */
  leave(folder: string, session: string): Promise<boolean>;
  list(cwd: string): Promise<readonly WorktreeView[] | Refused>;
  find(cwd: string, name: string): Promise<Worktree | Refused>;
  /** The worktree that contains a folder. */
  at(folder: string): Promise<Worktree | undefined>;
  diff(cwd: string, name: string, options?: DiffOptions): Promise<WorktreeDiff | Refused>;
  /** A session's changes in its folder: since the worktree began, else since the last commit. */
  changesIn(folder: string, options?: DiffOptions): Promise<WorktreeDiff | Refused>;
  /** The current text of a file in a session's folder, for people to look at. */
  fileIn(folder: string, path: string): Promise<ShownFile | Refused>;
  /** The branch that a folder has checked out. */
  branchIn(folder: string): Promise<string | undefined>;
  commit(cwd: string, name: string, message: string): Promise<Committed | Refused>;
  /** Commits files of a folder, which needn't be a worktree of Rondo's. Default: all changed ones. */
  commitIn(folder: string, message: string, paths?: readonly string[]): Promise<Committed | Refused>;
  discardIn(folder: string, paths: readonly string[], at: number): Promise<Discarded | Refused>;
  planPush(folder: string): Promise<PushPlan | Refused>;
  pushFrom(folder: string, request: ConfirmedPush): Promise<Pushed | Refused>;
  merge(cwd: string, name: string, request?: MergeRequest): Promise<Merged | Refused>;
  /** Commits the remaining changes and compares the branch with its base. */
  review(cwd: string, name: string, message: string): Promise<Review | Refused>;
  remove(
    cwd: string,
    name: string,
    request: RemoveRequest & { readonly session?: string },
  ): Promise<Removed | Refused>;
  /** Takes the lease from any holder, for holders that can't be checked, such as on another machine. */
  release(cwd: string, name: string): Promise<boolean | Refused>;
  reconcile(cwd: string, at: number): Promise<Reconciled | Refused>;
}

interface WorktreesParts {
  readonly holders: Holders;
  /** The settings for new worktrees of a repository, read when one is created. */
  settings(repository: Repository): WorktreeSettings | Promise<WorktreeSettings>;
  /** Aborted when this process shuts down: stops a running set-up and everything it started. */
  readonly signal?: AbortSignal;
}

/** Worktrees with leases held by this process. */
export function createWorktrees({ holders, settings, signal }: WorktreesParts): Worktrees {
  async function inRepository<Answer>(
    cwd: string,
    then: (repository: Repository) => Promise<Answer | Refused>,
  ): Promise<Answer | Refused> {
    const repository = await findRepository(cwd);
    if (repository.type === 'failed') return refused('git-failed', repository.message);
    if (repository.type === 'no-repository')
      return refused('no-repository', `${repository.why}, so there are no worktrees.`);
    return await then(repository);
  }

  function withWorktree<Answer>(
    cwd: string,
    name: string,
    then: (worktree: Worktree, own: Repository) => Promise<Answer | Refused>,
  ): Promise<Answer | Refused> {
    return inRepository(cwd, async (repository) => {
      const worktree = await readRecord(repository, name);
      if (worktree === undefined)
        return refused(
          'no-worktree',
          `Unknown worktree ${name} in ${repository.top}; \`rondo worktrees\` lists them.`,
        );
      const own = await findRepository(worktree.path);
      if (own.type !== 'repository' || own.top !== worktree.path || own.commonDir !== repository.commonDir)
        return refused(
          'no-worktree',
          `The folder of worktree ${name}, ${worktree.path}, is missing or no longer a worktree. \`rondo worktrees prune\` unregisters it.`,
        );
      return await then(worktree, own);
    });
  }

  async function at(
    folder: string,
  ): Promise<{ readonly worktree: Worktree; readonly own: Repository } | undefined> {
    const own = await findRepository(folder);
    if (own.type !== 'repository' || own.gitDir === own.commonDir) return undefined;
    const worktree = (await readRecords(own)).find((record) => record.path === own.top);
    return worktree === undefined ? undefined : { worktree, own };
  }

  return {
    async open(request) {
      const repository = await findRepository(request.cwd);
      if (repository.type !== 'repository') return openWorktree(request, NO_SETTINGS, holders);
      const wanted = await settings(repository);
      await reconcileWorktrees(repository, wanted, request.at);
      return openWorktree({ ...request, ...(signal !== undefined && { signal }) }, wanted, holders);
    },
    async enter(folder, session, time) {
      const entry = await at(folder);
      if (entry === undefined) return undefined;
      const { worktree, own } = entry;
      const claimed = await claimLease(leaseFolder(own, worktree.name), { session, at: time }, holders);
      return claimed.type === 'claimed' ? worktree : inUse(worktree.name, claimed.lease);
    },
    async leave(folder, session) {
      const entry = await at(folder);
      if (entry === undefined) return false;
      return releaseLease(leaseFolder(entry.own, entry.worktree.name), session, holders);
    },
    list: (cwd) =>
      inRepository(cwd, async (repository) => {
        const records = await readRecords(repository);
        return Promise.all(records.map((record) => viewOf(record, repository, holders)));
      }),
    find: (cwd, name) => withWorktree(cwd, name, async (worktree) => worktree),
    at: async (folder) => (await at(folder))?.worktree,
    diff: (cwd, name, options) => withWorktree(cwd, name, (worktree) => diffWorktree(worktree, options)),
    async changesIn(folder, options) {
      const entry = await at(folder);
      return entry === undefined ? diffFolder(folder, 'HEAD', options) : diffWorktree(entry.worktree, options);
    },
    fileIn: shownFile,
    branchIn: branchOfFolder,
    commit: (cwd, name, message) =>
      withWorktree(cwd, name, (worktree) => commitWorktree(worktree, message, { withHooks: true })),
    commitIn,
    discardIn,
    planPush,
    pushFrom,
    merge: (cwd, name, request) =>
      withWorktree(cwd, name, (worktree, own) => mergeWorktree(worktree, own.gitDir, request)),
    review: (cwd, name, message) => withWorktree(cwd, name, (worktree) => reviewOf(worktree, message)),
    remove: (cwd, name, request) =>
      withWorktree(cwd, name, async (worktree, own) => {
        const folder = leaseFolder(own, name);
        // Holds the lease during removal, so that no session starts there.
        const session = request.session ?? `remove ${name}`;
        const claimed = await claimLease(folder, { session, at: request.at }, holders);
        if (claimed.type === 'held') return inUse(name, claimed.lease);
        try {
          const here = await realpath(process.cwd());
          if (here === worktree.path || here.startsWith(worktree.path + path.sep))
            return refused(
              'in-use',
              `Can't remove worktree ${name}: this command runs in it. Change to another folder first.`,
            );
          const removed = await removeWorktree(worktree, own, request);
          if (removed.type === 'removed') await dropRecord(own, name);
          return removed;
        } finally {
          await releaseLease(folder, session, holders);
        }
      }),
    release: (cwd, name) =>
      inRepository(cwd, (repository) => releaseLease(leaseFolder(repository, name), '', holders, 'any')),
    reconcile: (cwd, time) =>
      inRepository(cwd, async (repository) => reconcileWorktrees(repository, await settings(repository), time)),
  };
}

const NO_SETTINGS: WorktreeSettings = { folder: '', branchPrefix: '', copy: [], setUp: [] };

function inUse(name: string, { session, holder }: Lease): Refused {
  return refused(
    'in-use',
    `Worktree ${name} is in use by session ${session} (process ${holder.pid} on ${holder.host}). End that session first.`,
  );
}

async function viewOf(worktree: Worktree, repository: Repository, holders: Holders): Promise<WorktreeView> {
  const lease = await leaseOf(leaseFolder(repository, worktree.name), holders);
  const own = await findRepository(worktree.path);
  const isThere = own.type === 'repository' && own.top === worktree.path;
  const files = isThere ? await uncommittedFiles(worktree.path) : [];
  return {
    ...worktree,
    state: isThere ? 'ready' : 'missing',
    ...(lease !== undefined && { lease }),
    uncommitted: 'type' in files ? 0 : files.length,
    ...(await distance(repository.top, worktree)),
  };
}

async function distance(
  cwd: string,
  { branch, base, baseBranch }: Worktree,
): Promise<{ readonly ahead: number; readonly behind: number }> {
  const other = baseBranch === undefined ? base : `refs/heads/${baseBranch}`;
  const args = ['rev-list', '--left-right', '--count', `refs/heads/${branch}...${other}`, '--'];
  const answer = await runGit({ cwd, dir: 'generated', args });
  const [ahead = 0, behind = 0] =
    answer.type === 'done' && answer.code === 0 ? answer.stdout.trim().split(/\s+/).map(Number) : [];
  return { ahead, behind };
}

async function reviewOf(worktree: Worktree, message: string): Promise<Review | Refused> {
  const committed = await commitWorktree(worktree, message);
  if (committed.type === 'refused' && committed.code !== 'nothing-to-commit') return committed;
  const diff = await diffWorktree(worktree);
  if (diff.type === 'refused') return diff;
  const { branch, baseBranch, path: cwd } = worktree;
  const head = await runGit({ cwd, dir: 'generated', args: ['rev-parse', 'HEAD'] });
  const joined = baseBranch === undefined ? undefined : await mergedTree(cwd, baseBranch, 'HEAD');
  return {
    type: 'ready',
    branch,
    ...(baseBranch !== undefined && { base: baseBranch }),
    commit: head.type === 'done' ? head.stdout.trim() : '',
    ...(await distance(cwd, worktree)),
    files: diff.changes.length,
    conflicts: joined?.type === 'conflict' ? joined.files : [],
  };
}
