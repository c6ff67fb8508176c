/**
 * Reconciles records and repository after a crash, a folder deleted by hand, or a worktree made with git alone. It
 * touches no content and reports unknown folders.
 */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { gitText, runGit } from '../git/run-git.ts';
import { isThere } from '../security/paths/is-there.ts';
import { type GitWorktree, listGitWorktrees } from './git-worktrees.ts';
import { refName } from './ref-name.ts';
import { findRepository, inCommonDir, type Repository } from './repository.ts';
import type { Worktree } from './worktree.ts';
import { dropRecord, readRecords, writeRecord } from './worktree-records.ts';

export interface Reconciled {
  /** Made by Rondo but not recorded, as after a crash. Now recorded. */
  readonly adopted: readonly string[];
  /** Recorded, but the folder is gone. Now forgotten; the branch stays. */
  readonly forgotten: readonly string[];
  /** Folders among the worktrees that belong to no repository. Left alone. */
  readonly orphans: readonly string[];
}

export async function reconcileWorktrees(
  repository: Repository,
  settings: { readonly folder: string },
  at: number,
): Promise<Reconciled> {
  const listed = await listGitWorktrees(repository.top);
  if ('type' in listed) return { adopted: [], forgotten: [], orphans: [] };
  const records = await readRecords(repository);
  const forgotten: string[] = [];
  for (const record of records) {
    if (!(await isGone(record.path))) continue;
    const place = listed.find((one) => one.path === record.path);
    if (place?.isLocked === true) continue;
    if (place !== undefined) await forget(repository, record, place);
    await dropRecord(repository, record.name);
    forgotten.push(record.name);
  }
  const folder = await realpath(settings.folder).catch(() => settings.folder);
  const paths = new Set(records.map((record) => record.path));
  const adopted: string[] = [];
  for (const place of listed) {
    if (paths.has(place.path) || path.dirname(place.path) !== folder || (await isGone(place.path))) continue;
    const record = recordOf(place, at);
    if (record === undefined) continue;
    await writeRecord(repository, record);
    adopted.push(record.name);
  }
  return { adopted, forgotten, orphans: await orphansIn(folder, listed) };
}

/** True only if the parent exists and the folder doesn't. A folder on an unmounted disk may come back. */
async function isGone(folder: string): Promise<boolean> {
  if (await isThere(folder)) return false;
  return await isThere(path.dirname(folder));
}

/** Gives a hidden ref to a commit that only this worktree's detached HEAD names, before git forgets it. */
async function forget(repository: Repository, record: Worktree, place: GitWorktree): Promise<void> {
  if (place.branch === undefined && place.head !== undefined) {
    const ref = `refs/rondo/${refName(`worktree-${record.name}`)}/head-${place.head.slice(0, 12)}`;
    const kept = await gitText({ ...inCommonDir(repository), args: ['update-ref', ref, place.head] });
    if (typeof kept !== 'string') return;
  }
  await runGit({ ...inCommonDir(repository), args: ['worktree', 'remove', '--force', place.path] });
}

function recordOf(place: GitWorktree, at: number): Worktree | undefined {
  if (place.head === undefined) return undefined;
  return {
    name: path.basename(place.path),
    path: place.path,
    branch: place.branch ?? path.basename(place.path),
    base: place.head,
    createdAt: at,
    toSetUp: [],
  };
}

async function orphansIn(folder: string, listed: readonly GitWorktree[]): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const unknown = names
    .map((name) => path.join(folder, name))
    .filter((one) => !listed.some((place) => place.path === one));
  const orphans: string[] = [];
  for (const one of unknown) {
    // Other repositories may share the folder.
    const repository = await findRepository(one);
    if (repository.type !== 'repository' || repository.top !== one) orphans.push(one);
  }
  return orphans;
}
