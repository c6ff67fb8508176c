import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import path from 'node:path';

import { isThere } from '../security/paths/is-there.ts';
import { DEFAULT_LIMITS, type CheckpointLimits, type LeftOut } from './checkpoint.ts';
import type { GitFailure } from '../git/git-call.ts';
import { gitText, splitNul } from '../git/run-git.ts';
import { isUnfinished } from '../security/paths/unfinished-write.ts';
import { prefixOf, type Repository } from './repository.ts';
import { openShadow, type Shadow } from './shadow-repository.ts';

interface SnapshotTree {
  readonly type: 'tree';
  readonly tree: string;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes the files below `root` as a tree object: tracked files, untracked files that git doesn't ignore, and the
 * paths in `also`, ignored or not.
 */
export async function snapshotTree(
  repository: Repository,
  options: { readonly limits?: CheckpointLimits; readonly also?: readonly string[] } = {},
): Promise<SnapshotTree | GitFailure> {
  const first = await attempt(repository, options);
  if (first.type === 'tree' || !/invalid object|unable to read|missing/i.test(first.message)) return first;
  // Garbage collection removed objects that the cached index names: hash everything again.
  const shadow = await openShadow(repository);
  if ('type' in shadow) return shadow;
  await shadow.dropIndex();
  return await attempt(repository, options);
}

async function attempt(
  repository: Repository,
  options: { readonly limits?: CheckpointLimits; readonly also?: readonly string[] },
): Promise<SnapshotTree | GitFailure> {
  const opened = await openShadow(repository);
  if ('type' in opened) return opened;
  await using shadow = opened;
  const seen = await candidates(repository, shadow, options.also ?? []);
  if ('type' in seen) return seen;
  const sorted = await sortOut(repository.root, seen, { ...DEFAULT_LIMITS, ...options.limits });
  if ('type' in sorted) return sorted;
  const prefix = prefixOf(repository);
  const nothing = '0'.repeat(repository.objectFormat === 'sha256' ? 64 : 40);
  const removals = sorted.gone.map((one) => `0 ${nothing}\t${prefix === '' ? one : `${prefix}/${one}`}\0`);
  const updates = [
    { how: ['--index-info'], lines: removals },
    { how: ['--add', '--remove', '--replace', '--stdin'], lines: sorted.present.map((one) => `${one}\0`) },
  ].filter(({ lines }) => lines.length > 0);
  for (const { how, lines } of updates) {
    const updated = await shadow.text(['update-index', '-z', ...how], { input: lines.join('') });
    if (typeof updated !== 'string') return updated;
  }
  const tree = await shadow.text(['write-tree']);
  if (typeof tree !== 'string') return tree;
  await shadow.keepIndex();
  return { type: 'tree', tree: tree.trim(), leftOut: sorted.leftOut };
}

interface Candidates {
  readonly paths: ReadonlySet<string>;
  readonly inIndex: ReadonlySet<string>;
}

/** Files that may differ from the shadow's index, including those that were too large last time. */
async function candidates(
  repository: Repository,
  shadow: Shadow,
  also: readonly string[],
): Promise<Candidates | GitFailure> {
  const [tracked, cached, changed] = await Promise.all([
    gitText({ cwd: repository.root, dir: 'generated', args: ['ls-files', '-z'] }),
    shadow.text(['ls-files', '-z']),
    shadow.text(['ls-files', '-z', '-o', '-m', '-d', '--exclude-standard']),
  ]);
  if (typeof tracked !== 'string') return tracked;
  if (typeof cached !== 'string') return cached;
  if (typeof changed !== 'string') return changed;
  const inIndex = new Set(splitNul(cached));
  const unknown = [...splitNul(tracked), ...also].filter((one) => !inIndex.has(one));
  return {
    inIndex,
    paths: new Set(
      [...splitNul(changed), ...unknown].filter((one) => !isUnfinished(one)).map((one) => one.replace(/\/$/, '')),
    ),
  };
}

interface SortedOut {
  readonly present: readonly string[];
  /** Entries to remove from the index: deleted or left out. */
  readonly gone: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

async function sortOut(
  root: string,
  { paths, inIndex }: Candidates,
  limits: Required<CheckpointLimits>,
): Promise<SortedOut | GitFailure> {
  const present: string[] = [];
  const gone: string[] = [];
  const leftOut: LeftOut[] = [];
  let total = 0;
  if (paths.size > limits.files) return tooMuch(root, `${paths.size} files are new or changed`);
  for (const one of paths) {
    const verdict = await look(root, one, limits.fileBytes);
    if (typeof verdict === 'number') {
      total += verdict;
      present.push(one);
      continue;
    }
    if (verdict !== 'absent') leftOut.push({ path: one, reason: verdict });
    if (inIndex.has(one)) gone.push(one);
  }
  if (total > limits.totalBytes) return tooMuch(root, `${total} bytes are new or changed`);
  return { present, gone, leftOut: leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
}

function tooMuch(root: string, what: string): GitFailure {
  return {
    type: 'failed',
    message: `Can't checkpoint ${root}: ${what}, which exceeds the limit. Add generated files to .gitignore.`,
  };
}

/** The size, or the reason to leave it out. */
async function look(root: string, one: string, limit: number): Promise<number | 'absent' | LeftOut['reason']> {
  if (one.includes('�')) return 'name-not-utf8';
  const file = path.join(root, one);
  try {
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) return stats.size;
    if (stats.isDirectory()) return (await isThere(path.join(file, '.git'))) ? 'repository-inside' : 'absent';
    if (!stats.isFile()) return 'not-a-file';
    if (stats.size > limit) return 'too-large';
    await access(file, constants.R_OK);
    return stats.size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unreadable';
  }
}
