/**
 * Which files a checkpoint of the session's folder holds, so that a change or deletion of them can be undone.
 *
 * 1. A turn's checkpoint holds the files of the repository that git doesn't ignore.
 * 2. A checkpoint right before a deletion also holds the ignored files that are deleted, if they are few and small. Of
 *    folders, only ignored ones count: deleting a folder of the work itself always asks.
 * 3. Neither is used for protected names, files with secrets, and repositories inside the folder.
 */
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import type { ToolContext } from '../../ports/tool.ts';
import { nearest } from '../../security/paths/git-dir.ts';
import { isBelow } from '../../security/paths/is-below.ts';
import { ignoreRulesFor, isIgnored } from './ignore-rules.ts';
import { sensitivityOf } from '../../security/paths/paths.ts';
import { locate, pathFact, type PathFact, protectedName, displayPath } from './tool-path.ts';

/** The fact of a write. It belongs to `edits` if the turn's checkpoint holds the file. */
export async function editFact(requested: string, context: ToolContext): Promise<PathFact> {
  const fact = await pathFact(requested, 'write', context);
  return (await isHeldFile(requested, context)) ? { ...fact, set: { name: 'edits' } } : fact;
}

/** True if an ordinary file, or the place of a new one, is held by the turn's checkpoint. */
export async function isHeldFile(requested: string, context: ToolContext): Promise<boolean> {
  const place = await ordinaryPlace(requested, context);
  if (place === undefined) return false;
  const { real, top } = place;
  const stats = await lstat(real).catch(() => undefined);
  if (stats !== undefined && !stats.isFile()) return false;
  return !isIgnoredIn(top, real, 'file');
}

/** What a checkpoint must hold in addition before a deletion: paths relative to the session's folder. */
export interface HeldDeletion {
  readonly ignored: readonly string[];
}

/**
 * Undefined unless a checkpoint taken right before the deletion can hold all of it: a file, or a folder that git
 * ignores.
 */
export async function heldDeletion(requested: string, context: ToolContext): Promise<HeldDeletion | undefined> {
  const place = await ordinaryPlace(requested, context);
  if (place === undefined || place.real === place.cwd) return undefined;
  const { real, cwd, top } = place;
  const stats = await lstat(real).catch(() => undefined);
  if (stats === undefined) return { ignored: [] };
  const ignored = [path.relative(cwd, real).split(path.sep).join('/')];
  if (stats.isFile()) {
    if (stats.size > MOST_BYTES) return undefined;
    return { ignored: isIgnoredIn(top, real, 'file') ? ignored : [] };
  }
  const isOutput = stats.isDirectory() && isIgnoredIn(top, real, 'folder');
  return isOutput && (await isSmallFolder(real, context)) ? { ignored } : undefined;
}

interface OrdinaryPlace {
  readonly real: string;
  readonly cwd: string;
  /** The top of the work tree. */
  readonly top: string;
}

async function ordinaryPlace(requested: string, context: ToolContext): Promise<OrdinaryPlace | undefined> {
  if ((await context.keepsFiles?.()) !== true) return undefined;
  const verdict = await locate(requested, context);
  if (verdict.type === 'outside' || verdict.sensitive !== undefined) return undefined;
  if (protectedName(displayPath(verdict), verdict) !== undefined) return undefined;
  const cwd = await realpath(context.cwd).catch(() => undefined);
  if (cwd === undefined || !isBelow(verdict.real, cwd)) return undefined;
  const repository = nearest(cwd, '.git');
  if (repository === undefined || nearest(path.dirname(verdict.real), '.git') !== repository) return undefined;
  return { real: verdict.real, cwd, top: path.dirname(repository) };
}

function isIgnoredIn(top: string, place: string, kind: 'file' | 'folder'): boolean {
  const rules = ignoreRulesFor(top, path.dirname(place));
  const parts = path.relative(top, place).split(path.sep);
  return parts.some((_, index) =>
    isIgnored(rules, path.join(top, ...parts.slice(0, index + 1)), index === parts.length - 1 ? kind : 'folder'),
  );
}

const MOST_FILES = 2_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Nothing in it is protected, secret or special, and it is small enough to keep. */
async function isSmallFolder(folder: string, { roots }: ToolContext): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined || entries.length > MOST_FILES) return false;
  const root = roots.find((one) => isBelow(folder, one)) ?? folder;
  let bytes = 0;
  for (const entry of entries) {
    const real = path.join(entry.parentPath, entry.name);
    const relative = path.relative(root, real);
    const name = relative.split(path.sep).join('/');
    if (sensitivityOf(relative) !== undefined || protectedName(name, { real, root }) !== undefined) return false;
    if (entry.isDirectory()) continue;
    if (!entry.isFile() && !entry.isSymbolicLink()) return false;
    bytes += (await lstat(real).catch(() => undefined))?.size ?? 0;
    if (bytes > MOST_BYTES) return false;
  }
  return true;
}
