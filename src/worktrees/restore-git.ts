/**
 * Restores the files of a checkpoint. It changes only files that differ between checkpoint and current tree and
 * that the current tree holds, so git has a copy of everything it overwrites.
 */
import { createHash } from 'node:crypto';
import { lstat, readFile, readlink, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';

import type { Checkpoint } from './checkpoint.ts';
import type { GitFailure } from '../git/git-call.ts';
import { splitNul } from '../git/run-git.ts';
import { prefixOf, type Repository } from './repository.ts';
import { openShadow, type Shadow } from './shadow-repository.ts';

interface WrittenBack {
  readonly type: 'written';
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly blocked: readonly string[];
}

/** The paths below the root in a commit. */
export async function pathsOf(repository: Repository, commit: string): Promise<readonly string[] | GitFailure> {
  const opened = await openShadow(repository);
  if ('type' in opened) return opened;
  await using shadow = opened;
  const text = await shadow.text(['ls-tree', '-r', '-z', '--name-only', commit]);
  return typeof text === 'string' ? splitNul(text) : text;
}

export async function writeBack(
  repository: Repository,
  now: string,
  target: { readonly commit: string; readonly leftOut: Checkpoint['leftOut'] },
): Promise<WrittenBack | GitFailure> {
  const opened = await openShadow(repository);
  if ('type' in opened) return opened;
  await using shadow = opened;
  const prefix = prefixOf(repository);
  const text = await shadow.text([
    'diff-tree',
    // Else git reads `.gitmodules` from the files, and stops at values that it refuses.
    '--ignore-submodules=all',
    '-r',
    '-z',
    '--no-renames',
    '--no-abbrev',
    '--relative',
    now,
    target.commit,
    '--',
    ...(prefix === '' ? [] : ['.']),
  ]);
  if (typeof text !== 'string') return text;
  const changes = pairs(splitNul(text));
  const removed: string[] = [];
  for (const { status, file } of changes) {
    if (status !== 'D' || isLeftOut(file, target.leftOut)) continue;
    // An interrupted restore may have removed it and put something else there.
    if ((await standingAt(repository.root, file)) === 'other') await unlink(path.join(repository.root, file));
    await removeEmptyParents(repository.root, file);
    removed.push(file);
  }
  const restored: string[] = [];
  const blocked: string[] = [];
  for (const { status, file, object } of changes) {
    if (status === 'D') continue;
    const isFree = await hasWay(repository.root, file, status === 'A' ? object : undefined);
    (isFree ? restored : blocked).push(file);
  }
  const written = await checkOut(shadow, repository, target.commit, restored);
  return typeof written === 'string' ? { type: 'written', restored, removed, blocked } : written;
}

/** Those of the files that don't exist now. */
export async function absentOf({ root }: Repository, files: readonly string[]): Promise<readonly string[]> {
  const standing = await Promise.all(files.map((file) => standingAt(root, file)));
  return files.filter((_, index) => standing[index] === 'absent');
}

export async function writeFiles(
  repository: Repository,
  commit: string,
  files: readonly string[],
): Promise<GitFailure | undefined> {
  const opened = await openShadow(repository);
  if ('type' in opened) return opened;
  await using shadow = opened;
  const written = await checkOut(shadow, repository, commit, files);
  return typeof written === 'string' ? undefined : written;
}

async function checkOut(
  shadow: Shadow,
  repository: Repository,
  commit: string,
  files: readonly string[],
): Promise<string | GitFailure> {
  if (files.length === 0) return '';
  const index = path.join(repository.gitDir, 'rondo', `restore-${process.pid}-${Date.now()}`);
  const environment = { GIT_INDEX_FILE: index };
  try {
    const read = await shadow.text(['read-tree', commit], { environment });
    if (typeof read !== 'string') return read;
    return await shadow.text(['checkout-index', '-f', '-z', '--stdin'], {
      environment,
      input: files.map((file) => `${file}\0`).join(''),
    });
  } finally {
    await rm(index, { force: true });
  }
}

/**
 * False if content in no checkpoint would have to go. A file that is new (`fresh` names its future content) may
 * already exist from an interrupted restore.
 */
async function hasWay(root: string, file: string, fresh: string | undefined): Promise<boolean> {
  const place = path.join(root, file);
  switch (await standingAt(root, file)) {
    case 'absent':
      return true;
    case 'out-of-reach':
      return false;
    case 'folder':
      return await rmdir(place).then(
        () => true,
        () => false,
      );
    case 'other':
      return fresh === undefined || (await isObject(place, fresh));
  }
}

/** `out-of-reach`: a parent isn't a folder, or is a link. */
async function standingAt(root: string, file: string): Promise<Kind | 'out-of-reach'> {
  const parts = file.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const kind = await kindOf(path.join(root, ...parts.slice(0, depth)));
    if (kind === 'absent') return 'absent';
    if (kind === 'other') return 'out-of-reach';
  }
  return await kindOf(path.join(root, file));
}

/** Whether a file or link has the content of this git object. */
async function isObject(place: string, object: string): Promise<boolean> {
  const stats = await lstat(place);
  if (!stats.isSymbolicLink() && !stats.isFile()) return false;
  const content = stats.isFile() ? await readFile(place) : await readlink(place, 'buffer');
  const hash = createHash(object.length === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === object;
}

type Kind = 'absent' | 'folder' | 'other';

async function kindOf(place: string): Promise<Kind> {
  try {
    const stats = await lstat(place);
    return stats.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'absent';
  }
}

export async function removeEmptyParents(root: string, file: string): Promise<void> {
  const parents = file.split('/').slice(0, -1);
  for (let depth = parents.length; depth > 0; depth -= 1) {
    try {
      await rmdir(path.join(root, ...parents.slice(0, depth)));
    } catch {
      return;
    }
  }
}

function isLeftOut(file: string, leftOut: Checkpoint['leftOut']): boolean {
  return leftOut.some(({ path: one }) => file === one || file.startsWith(`${one}/`));
}

interface Change {
  readonly status: string;
  readonly file: string;
  /** The object to write. */
  readonly object: string;
}

function pairs(parts: readonly string[]): readonly Change[] {
  return parts.flatMap((change, index) => {
    const file = parts[index + 1];
    // ":<mode> <mode> <object> <object> <status>", before and after
    const [, , , object, status] = change.split(' ');
    if (index % 2 === 1 || file === undefined || object === undefined || status === undefined) return [];
    return [{ status, file, object }];
  });
}
