/** Saves a clone's files and commits as one git bundle, and puts them back into another clone. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { GitFailure } from '../git/git-call.ts';
import { gitText, runGit } from '../git/run-git.ts';
import type { BlobRef } from '../kernel/content.ts';
import type { SessionId } from '../kernel/ids.ts';
import { leftOutKept, type SavedFiles } from '../kernel/place.ts';
import { optional } from '../kernel/optional.ts';
import type { Blobs } from '../ports/blobs.ts';
import { refName } from '../worktrees/ref-name.ts';
import { findRepository, resolveCommit, type Repository } from '../worktrees/repository.ts';
import { writeBack } from '../worktrees/restore-git.ts';
import { snapshotTree } from '../worktrees/snapshot-tree.ts';
import { restoreConflicts, restoreStashes, stashRefs, unsavedGitState } from './git-state.ts';
import { ownCall, type RepositoryCache } from './repository-cache.ts';
import { gone } from './way-out.ts';

/** A bundle that exists as a file until it is disposed. */
interface CloneBundle extends AsyncDisposable {
  readonly file: string;
  readonly bytes: number;
  /** Equal for equal files, commits and branches. */
  readonly fingerprint: string;
  readonly commit: string;
  readonly branch?: string;
  readonly isComplete?: true;
  readonly leftOut: readonly string[];
}

interface BundleOptions {
  /** The fingerprint of the last bundle. */
  readonly since?: string | undefined;
  /** Includes the base, which the remote no longer has. */
  readonly isComplete?: boolean;
}

/** Undefined if nothing differs from `since`. */
export async function bundleClone(
  folder: string,
  base: string,
  { since, isComplete = false }: BundleOptions = {},
): Promise<CloneBundle | GitFailure | undefined> {
  const repository = await findRepository(folder);
  if (repository.type !== 'repository') return gone(folder);
  const snapshot = await snapshotTree(repository);
  if (snapshot.type === 'failed') return snapshot;
  const head = (await resolveCommit(folder, 'HEAD')) ?? base;
  const branches = await look(repository, ['for-each-ref', '--format=%(refname) %(objectname)', ...bundledRefs]);
  if (typeof branches !== 'string') return branches;
  const stashed = await look(repository, ['stash', 'list', '--format=%H']);
  if (typeof stashed !== 'string') return stashed;
  const stashes = stashed.split('\n').filter((one) => one !== '');
  const fingerprint = createHash('sha256')
    .update(`${snapshot.tree}\n${head}\n${branches}\n${stashed}\n${isComplete}`)
    .digest('hex');
  if (fingerprint === since) return undefined;
  const commit = await look(
    repository,
    ['commit-tree', snapshot.tree, '-p', head, '-m', 'Files of a Rondo session'],
    {
      GIT_AUTHOR_NAME: 'Rondo',
      GIT_AUTHOR_EMAIL: 'rondo@localhost',
      GIT_COMMITTER_NAME: 'Rondo',
      GIT_COMMITTER_EMAIL: 'rondo@localhost',
    },
  );
  if (typeof commit !== 'string') return commit;
  const refs = {
    [savedRef]: commit.trim(),
    ...(isComplete && { [baseRef]: base }),
    ...Object.fromEntries(stashes.map((one, index) => [`${stashRefs}${index}`, one])),
  };
  for (const [ref, target] of Object.entries(refs)) {
    const noted = await look(repository, ['update-ref', ref, target]);
    if (typeof noted !== 'string') return noted;
  }
  const named = await runGit({
    cwd: folder,
    dir: 'generated',
    args: ['symbolic-ref', '--quiet', '--short', 'HEAD'],
  });
  const branch = named.type === 'done' && named.code === 0 ? named.stdout.trim() : undefined;
  const { file, remove } = await temporary();
  const written = await look(repository, [
    'bundle',
    'create',
    '--quiet',
    file,
    ...Object.keys(refs),
    '--branches',
    '--glob=refs/rondo/*',
    ...(isComplete ? [] : [`^${base}`]),
  ]);
  if (typeof written !== 'string') {
    await remove();
    return written;
  }
  return {
    file,
    bytes: (await stat(file)).size,
    fingerprint,
    commit: commit.trim(),
    ...optional({ branch }),
    ...(isComplete && { isComplete }),
    leftOut: [
      ...(await unsavedGitState(repository)),
      ...snapshot.leftOut.map(({ path: one, reason }) => `${one} (${reason})`),
    ].slice(0, leftOutKept),
    [Symbol.asyncDispose]: remove,
  };
}

export async function storeBundle(bundle: CloneBundle, blobs: Blobs): Promise<SavedFiles> {
  const { commit, branch, isComplete, leftOut, bytes } = bundle;
  const blob = await blobs.put(createReadStream(bundle.file));
  const ref: BlobRef = { blob, length: bytes, preview: '' };
  return { commit, ...optional({ branch, isComplete }), bundle: ref, leftOut };
}

/** Puts saved files and commits into a clone that has the base checked out. */
export async function restoreBundle(
  folder: string,
  saved: SavedFiles,
  blobs: Blobs,
): Promise<GitFailure | undefined> {
  return await withBundle(saved, blobs, (file) => unbundle(folder, file, saved));
}

/** Puts the base of a complete bundle into the cache, for the clone that follows. */
export async function restoreBase(
  cache: RepositoryCache,
  session: SessionId,
  saved: SavedFiles,
  blobs: Blobs,
): Promise<GitFailure | undefined> {
  const ref = `+${baseRef}:refs/rondo-base/${refName(session)}`;
  return await withBundle(saved, blobs, async (file) => {
    const fetched = await gitText(ownCall(cache, ['fetch', '--quiet', '--no-tags', file, ref]));
    return typeof fetched === 'string' ? undefined : fetched;
  });
}

async function withBundle(
  saved: SavedFiles,
  blobs: Blobs,
  use: (file: string) => Promise<GitFailure | undefined>,
): Promise<GitFailure | undefined> {
  const content = await blobs.bytes(saved.bundle.blob);
  if (content === undefined) {
    return { type: 'failed', message: `The saved files (blob ${saved.bundle.blob}) are missing or damaged.` };
  }
  const { file, remove } = await temporary();
  try {
    await writeFile(file, content);
    return await use(file);
  } finally {
    await remove();
  }
}

async function unbundle(folder: string, file: string, saved: SavedFiles): Promise<GitFailure | undefined> {
  const gitDir = path.join(folder, '.git');
  const fetched = await gitText({
    cwd: folder,
    dir: 'own',
    environment: { GIT_DIR: gitDir, GIT_WORK_TREE: folder },
    args: [
      'fetch',
      '--quiet',
      '--no-tags',
      '--update-head-ok',
      file,
      ...[savedRef, `${stashRefs}*`, 'refs/heads/*', 'refs/rondo/*'].map((ref) => `+${ref}:${ref}`),
    ],
    timeoutMs: longMs,
  });
  if (typeof fetched !== 'string') return fetched;
  const head = `${saved.commit}^1`;
  const target = saved.branch === undefined ? ['--detach', head] : ['-B', saved.branch, head];
  const args = ['checkout', '--quiet', '--force', ...target];
  const checkedOut = await gitText({ cwd: folder, dir: 'repository', args, timeoutMs: longMs });
  if (typeof checkedOut !== 'string') return checkedOut;
  const repository = await findRepository(folder);
  if (repository.type !== 'repository') return gone(folder);
  const written = await writeBack(repository, head, { commit: saved.commit, leftOut: [] });
  if (written.type === 'failed') return written;
  return (await restoreConflicts(repository, saved, head)) ?? (await restoreStashes(repository));
}

export const savedRef = 'refs/rondo-place/saved';
const baseRef = 'refs/rondo-place/base';
const bundledRefs = ['refs/heads', 'refs/rondo'];

function look(
  repository: Repository,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string | GitFailure> {
  return gitText({ cwd: repository.root, dir: 'generated', args, environment, timeoutMs: longMs });
}

/** In a folder that only this user can open. */
async function temporary(): Promise<{ readonly file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-place-'));
  return { file: path.join(folder, 'saved.bundle'), remove: () => rm(folder, { recursive: true, force: true }) };
}

const longMs = 30 * 60_000;
