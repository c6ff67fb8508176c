/**
 * Pushes the result of a turn to its branch.
 *
 * 1. It pushes from the cache, never from the clone: an agent may have changed the clone's settings, and git uses
 *    the user's credentials here.
 * 2. It replaces a branch only if it knows its commit. A branch with foreign commits stays, and the result gets
 *    another name.
 * 3. A process that lost the session doesn't push. One that loses it in between fails on the lease of rule 2.
 * 4. Text that looks like a secret isn't pushed.
 * 5. Neither is anything while git is in the middle of a rebase or merge: files may hold marks of conflicts.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { findGitPlace } from '../git/find-git-place.ts';
import type { GitFailure, GitOutput } from '../git/git-call.ts';
import { gitText, runGit } from '../git/run-git.ts';
import type { PushedBranch } from '../kernel/place.ts';
import type { SessionId } from '../kernel/ids.ts';
import { commitWorktree } from '../worktrees/commit-worktree.ts';
import { refName } from '../worktrees/ref-name.ts';
import { resolveCommit } from '../worktrees/repository.ts';
import { conflictsIn, uncommittedFiles, unfinishedOperation } from '../worktrees/work-state.ts';
import { fileExists } from './file-exists.ts';
import { ownCall, remoteCall, type RepositoryCache } from './repository-cache.ts';
import { bundleClone, savedRef } from './save-clone.ts';

interface PushRequest {
  readonly cache: RepositoryCache;
  readonly folder: string;
  readonly session: SessionId;
  readonly base: string;
  readonly branch: string;
  /** The commit that this session pushed last. */
  readonly before?: string;
  /** The message for changes that the agent left uncommitted. */
  readonly message: string;
  /** False if another process owns the session now. */
  readonly isOwner?: () => Promise<boolean>;
  /** Hides secrets in a text. */
  readonly redact: (text: string) => string;
}

/** Undefined if there is nothing new to push. */
export async function pushResult(request: PushRequest): Promise<PushedBranch | GitFailure | undefined> {
  const { cache, folder, base, branch, before, message } = request;
  const operation = await unfinishedOperation(path.join(folder, '.git'));
  if (operation !== undefined) return unfinished(`A ${operation} is unfinished`, folder);
  const [file] = await conflictsIn(folder);
  if (file !== undefined) return unfinished(`${file} is in conflict`, folder);
  const committed = await commitWorktree({ name: branch, path: folder }, message);
  if (committed.type === 'refused' && committed.code !== 'nothing-to-commit') {
    return { type: 'failed', message: committed.message };
  }
  const commit = await resolveCommit(folder, 'HEAD');
  if (commit === undefined || commit === base || commit === before) return undefined;
  const brought = await bringToCache(request);
  if (brought !== undefined) return brought;
  const unfit = await unfitIn(request, commit);
  if (unfit !== undefined) return unfit;
  const current = await commitAt(cache, branch);
  if (typeof current === 'object') return current;
  if (current === commit) return { branch, commit };
  const isOurs = current === '' || current === before || (await isAncestor(cache, current, commit));
  const target = isOurs ? branch : `${branch}-${commit.slice(0, 7)}`;
  const lease = `--force-with-lease=refs/heads/${target}:${isOurs ? current : ''}`;
  const refs = `${commit}:refs/heads/${target}`;
  if ((await request.isOwner?.()) === false) return undefined;
  const pushed = await gitText(remoteCall(cache, ['push', '--quiet', '--no-verify', lease, cache.url, refs]));
  if (typeof pushed !== 'string') return pushed;
  await gitText({ cwd: folder, dir: 'generated', args: ['update-ref', `refs/remotes/origin/${target}`, commit] });
  return { branch: target, commit };
}

/** True if a clone holds files or commits that its remote doesn't have, or if that can't be found out. */
export async function hasUnpushedWork(folder: string): Promise<boolean> {
  // Without its own git folder, git would answer from a repository around it.
  const place = await findGitPlace(folder);
  if (place.type !== 'place' || place.top !== (await realpath(folder))) return true;
  const files = await uncommittedFiles(folder);
  if ('type' in files || files.length > 0) return true;
  const args = ['rev-list', '--count', '--branches', 'HEAD', '--not', '--remotes'];
  const ahead = await gitText({ cwd: folder, dir: 'generated', args });
  const stashed = await gitText({ cwd: folder, dir: 'generated', args: ['stash', 'list'] });
  return ahead !== '0\n' || stashed !== '';
}

function unfinished(what: string, folder: string): GitFailure {
  const message = `${what} in ${folder}, so nothing is committed or pushed. Send a prompt to finish or abort it.`;
  return { type: 'failed', message };
}

/**
 * Looks at what the push would publish: added lines, file names and messages of every commit that the remote lacks, one
 * that a later commit takes back included. Git's attributes hide nothing. Files that Git LFS keeps are on this machine
 * only, and uploading them would start its program with the settings of the clone.
 */
async function unfitIn(request: PushRequest, commit: string): Promise<GitFailure | undefined> {
  const { cache, folder, base, branch, redact } = request;
  const options = ['--patch', '--cc', '--unified=0', '--text', '--no-renames', '--ignore-submodules=all'];
  const range = [commit, `^${base}`, '--not', '--remotes=origin'];
  const looked = await runGit({
    ...ownCall(cache, ['log', '--format=%x00%h%n%B', ...options, '--no-ext-diff', '--no-textconv', ...range]),
    outputBytes: mostLooked,
  });
  if (looked.type === 'failed') return looked;
  if (looked.code !== 0 || looked.truncated) return notLooked(request, looked);
  const log = looked.stdout;
  let place = '';
  let isMessage = false;
  for (const line of log.split('\n')) {
    if (line.startsWith(commitMark)) {
      isMessage = true;
      place = `The message of commit ${line.slice(commitMark.length)}`;
    } else if (line.startsWith('diff --')) {
      isMessage = false;
      place = line.replace(/^diff --(?:git a\/.* b\/|cc )/, '');
    }
    const [, object = ''] = /^\+oid sha256:([0-9a-f]{64})$/.exec(line) ?? [];
    if (object !== '' && (await isKeptByLfs(folder, object))) {
      const message = `${place} is kept by Git LFS and was never uploaded, so the branch isn't pushed. Push it yourself: git -C ${folder} push origin HEAD:${branch}`;
      return { type: 'failed', message };
    }
    const isShown = isMessage || line.startsWith('+') || line.startsWith('diff --');
    if (!isShown || redact(line) === line) continue;
    return {
      type: 'failed',
      message: `${redact(place)} contains what looks like a secret, so the branch isn't pushed. Remove it from the branch's commits in ${folder} and send another prompt, or push it yourself.`,
    };
  }
  return undefined;
}

function notLooked({ folder, branch }: PushRequest, { truncated, stderr }: GitOutput): GitFailure {
  const why = truncated ? `its changes take more than ${mostLooked / 1_000_000} MB` : stderr.trim();
  const message = `The branch can't be searched for secrets (${why}), so it isn't pushed. Push it yourself: git -C ${folder} push origin HEAD:${branch}`;
  return { type: 'failed', message };
}

function isKeptByLfs(folder: string, object: string): Promise<boolean> {
  const file = path.join(folder, '.git/lfs/objects', object.slice(0, 2), object.slice(2, 4), object);
  return fileExists(file);
}

/** No line of a message or a patch begins with it. */
const commitMark = '\0';
const mostLooked = 100_000_000;

async function bringToCache({ cache, folder, session, base }: PushRequest): Promise<GitFailure | undefined> {
  const made = await bundleClone(folder, base);
  if (made === undefined) return undefined;
  if ('type' in made) return made;
  await using bundle = made;
  const refs = `+${savedRef}:refs/rondo/${refName(session)}`;
  const fetched = await gitText(ownCall(cache, ['fetch', '--quiet', '--no-tags', bundle.file, refs]));
  return typeof fetched === 'string' ? undefined : fetched;
}

/** The branch's commit on the remote, '' if it doesn't exist. */
async function commitAt(cache: RepositoryCache, branch: string): Promise<string | GitFailure> {
  const text = await gitText(remoteCall(cache, ['ls-remote', cache.url, `refs/heads/${branch}`]));
  return typeof text === 'string' ? (text.split('\t')[0] ?? '').trim() : text;
}

async function isAncestor(cache: RepositoryCache, one: string, other: string): Promise<boolean> {
  const answer = await runGit(ownCall(cache, ['merge-base', '--is-ancestor', one, other]));
  return answer.type === 'done' && answer.code === 0;
}
