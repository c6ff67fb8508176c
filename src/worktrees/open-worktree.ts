/**
 * Gives a session a worktree: a new one, or an existing free one.
 *
 * The name decides about reuse. A free worktree of that name is used as it is, with its work. A branch of that name
 * without a worktree is checked out again. A folder in the way is never touched.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { killMarked } from '../processes/kill-tree.ts';
import { isThere } from '../security/paths/is-there.ts';
import { addWorktree } from './add-worktree.ts';
import { gitText, runGit } from '../git/run-git.ts';
import { listGitWorktrees } from './git-worktrees.ts';
import { claimLease, type Holders, releaseLease } from './lease-file.ts';
import { findRepository, type Repository, resolveCommit } from './repository.ts';
import { setUpWorktree } from './set-up.ts';
import { refused, type Refused, type Worktree, type WorktreeSettings } from './worktree.ts';
import { titleSlug, worktreeName } from './worktree-name.ts';
import { leaseFolder, readRecord, writeRecord } from './worktree-records.ts';

export interface OpenRequest {
  /** A folder in the repository. */
  readonly cwd: string;
  readonly session: string;
  /** Default: derived from the title or the session's id. */
  readonly name?: string;
  /** Names a new worktree so that people recognize it. An existing one is never reused for it. */
  readonly title?: string;
  /** A branch name that differs from the worktree's name. */
  readonly branch?: string;
  /** Where a new branch starts (default: HEAD of `cwd`). */
  readonly base?: string;
  readonly at: number;
  /** Cancels a running set-up. */
  readonly signal?: AbortSignal;
}

export interface Opened {
  readonly type: 'opened';
  readonly worktree: Worktree;
  /** The folder in the worktree that corresponds to `cwd`. */
  readonly cwd: string;
  readonly reused: 'worktree' | 'branch' | 'nothing';
  readonly notes: readonly string[];
}

export async function openWorktree(
  request: OpenRequest,
  settings: WorktreeSettings,
  holders: Holders,
): Promise<Opened | Refused> {
  const repository = await findRepository(request.cwd);
  if (repository.type === 'failed') return refused('git-failed', repository.message);
  if (repository.type === 'no-repository')
    return refused('no-repository', `Can't create a worktree: ${repository.why}.`);
  const name = worktreeName(request.name ?? (await freshName(repository, request, settings)) ?? request.session);
  if (name === undefined)
    return refused('bad-name', `Invalid worktree name "${request.name ?? ''}"; use letters and digits.`);
  const lease = leaseFolder(repository, name);
  const claimed = await claimLease(lease, request, holders);
  if (claimed.type === 'held')
    return refused(
      'in-use',
      `Worktree ${name} is in use by session ${claimed.lease.session} (process ${claimed.lease.holder.pid} on ${claimed.lease.holder.host}). End that session, or choose another name.`,
    );
  const opened = await takeOrMake(repository, name, request, settings);
  if (opened.type === 'refused') {
    await releaseLease(lease, request.session, holders);
    return opened;
  }
  // A process killed during set-up may have left commands running. No session has worked here yet.
  const { previous } = claimed;
  const isHalfSetUp = opened.reused === 'worktree' && opened.worktree.toSetUp.length > 0;
  if (isHalfSetUp && previous !== undefined) {
    await killMarked({ session: previous.session, below: 1 });
  }
  const ready = await makeReady(repository, opened, request);
  if (ready.type === 'refused') await releaseLease(lease, request.session, holders);
  return ready;
}

/** The title as a name that no worktree and no branch has. */
async function freshName(
  repository: Repository,
  { title }: OpenRequest,
  { branchPrefix }: WorktreeSettings,
): Promise<string | undefined> {
  const slug = title === undefined ? undefined : titleSlug(title);
  if (slug === undefined) return undefined;
  for (let number = 1; number < 100; number += 1) {
    const name = number === 1 ? slug : `${slug}-${number}`;
    const isTaken =
      (await readRecord(repository, name)) !== undefined ||
      (await resolveCommit(repository.root, `refs/heads/${branchPrefix}${name}`)) !== undefined;
    if (!isTaken) return name;
  }
  return undefined;
}

async function takeOrMake(
  repository: Repository,
  name: string,
  request: OpenRequest,
  settings: WorktreeSettings,
): Promise<Opened | Refused> {
  const existing = await readRecord(repository, name);
  const listed = await listGitWorktrees(repository.top);
  if ('type' in listed) return refused('git-failed', listed.message);
  const target = existing?.path ?? path.join(settings.folder, name);
  const place = listed.find((one) => one.path === target);
  if (existing !== undefined && place !== undefined && (await isThere(target))) {
    const worktree: Worktree = { ...existing, session: request.session };
    await writeRecord(repository, worktree);
    return { type: 'opened', worktree, cwd: inWorktree(repository, worktree), reused: 'worktree', notes: [] };
  }
  if (await isThere(target))
    return refused(
      'path-exists',
      `Can't create worktree ${name}: ${target} already exists and isn't a worktree of this repository. Move it away, or choose another name.`,
    );
  return await make(repository, { name, target, listed: listed.map((one) => one) }, request, settings);
}

async function make(
  repository: Repository,
  {
    name,
    target,
    listed,
  }: {
    readonly name: string;
    readonly target: string;
    readonly listed: readonly { readonly path: string; readonly branch?: string }[];
  },
  request: OpenRequest,
  settings: WorktreeSettings,
): Promise<Opened | Refused> {
  const branch = request.branch ?? `${settings.branchPrefix}${name}`;
  const isName = await runGit({
    cwd: repository.top,
    dir: 'generated',
    args: ['check-ref-format', '--branch', branch],
  });
  if (isName.type !== 'done' || isName.code !== 0) return refused('bad-name', `Invalid branch name "${branch}".`);
  const user = listed.find((one) => one.branch === branch);
  if (user !== undefined && (await isThere(user.path)))
    return refused(
      'branch-in-use',
      `Can't create worktree ${name}: branch ${branch} is checked out at ${user.path}. Choose another name.`,
    );
  const head = await resolveCommit(repository.root, 'HEAD');
  if (head === undefined)
    return refused(
      'no-commits',
      `Can't create worktree ${name}: the repository at ${repository.top} has no commit yet. Create a first one.`,
    );
  const existing = await resolveCommit(repository.root, `refs/heads/${branch}`);
  const base = await resolveCommit(repository.root, request.base ?? 'HEAD');
  if (base === undefined)
    return refused('no-base', `Can't create worktree ${name}: unknown commit ${request.base ?? 'HEAD'}.`);
  const added = await addWorktree(repository, {
    path: target,
    branch,
    copy: settings.copy,
    ...(existing === undefined && { startAt: base }),
  });
  if (added.type === 'failed') return refused('git-failed', `Can't create worktree ${name}: ${added.message}`);
  const baseBranch = await branchOf(repository, request.base);
  const worktree: Worktree = {
    name,
    path: await realpath(target),
    branch,
    base: existing === undefined ? base : ((await mergeBase(repository, existing, base)) ?? base),
    ...(baseBranch !== undefined && baseBranch !== branch && { baseBranch }),
    createdAt: request.at,
    session: request.session,
    toSetUp: settings.setUp,
  };
  await writeRecord(repository, worktree);
  return {
    type: 'opened',
    worktree,
    cwd: inWorktree(repository, worktree),
    reused: existing === undefined ? 'nothing' : 'branch',
    notes: added.notes,
  };
}

async function makeReady(repository: Repository, opened: Opened, request: OpenRequest): Promise<Opened | Refused> {
  const { worktree } = opened;
  if (worktree.toSetUp.length === 0) return opened;
  const { session, signal } = request;
  const failed = await setUpWorktree(worktree, {
    source: repository.top,
    session,
    ...(signal !== undefined && { signal }),
  });
  if (failed !== undefined) return failed;
  const ready: Worktree = { ...worktree, toSetUp: [] };
  await writeRecord(repository, ready);
  return { ...opened, worktree: ready };
}

/** The same folder below the worktree's top, or the top if the branch doesn't have the folder. */
function inWorktree(repository: Repository, worktree: Worktree): string {
  return path.join(worktree.path, path.relative(repository.top, repository.root));
}

async function branchOf(repository: Repository, base: string | undefined): Promise<string | undefined> {
  if (base === undefined) {
    const text = await gitText({
      cwd: repository.root,
      dir: 'generated',
      args: ['symbolic-ref', '--quiet', '--short', 'HEAD'],
    });
    return typeof text === 'string' ? text.trim() : undefined;
  }
  return (await resolveCommit(repository.root, `refs/heads/${base}`)) === undefined ? undefined : base;
}

export async function mergeBase(
  repository: Pick<Repository, 'top'>,
  one: string,
  other: string,
): Promise<string | undefined> {
  const text = await gitText({ cwd: repository.top, dir: 'generated', args: ['merge-base', one, other] });
  return typeof text === 'string' ? text.trim() : undefined;
}
