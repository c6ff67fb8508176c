/**
 * Checkpoints outside a repository. A checkpoint is a folder of notes. A note holds one file's content before its
 * first change after that checkpoint. So a file's content at checkpoint N is its first note from N on.
 *
 *     <copies>/<session>/<number>/checkpoint.json      label, time, root
 *     <copies>/<session>/<number>/<hash of path>.json  one note, written once
 *     <copies>/<session>/objects/<hash of content>     the bytes
 *
 * Changes by commands that didn't announce them have no note and can't be restored.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';

import { isBelow } from '../security/paths/is-below.ts';
import { isThere } from '../security/paths/is-there.ts';
import { unfinishedName } from '../security/paths/unfinished-write.ts';
import type { CheckpointLimits, CheckpointPlace, LeftOut } from './checkpoint.ts';
import { refName } from './ref-name.ts';

type Content =
  | { readonly type: 'absent' }
  | { readonly type: 'file'; readonly hash: string; readonly mode: number }
  | { readonly type: 'link'; readonly target: string }
  | { readonly type: 'left-out'; readonly reason: LeftOut['reason'] };

export interface FileNote {
  readonly path: string;
  readonly content: Content;
}

export const HEADER = 'checkpoint.json';
export const ABSENT: Content = { type: 'absent' };

export async function note(
  place: CheckpointPlace,
  number: number,
  file: string,
  limits: Required<CheckpointLimits>,
): Promise<void> {
  const name = createHash('sha256').update(file).digest('hex');
  const target = path.join(checkpointFolder(place, number), `${name}.json`);
  if (await isThere(target)) return;
  const { content, bytes } = await lookAt(place.root, file, limits);
  if (content.type === 'file' && bytes !== undefined) {
    const object = objectOf(place, content.hash);
    await mkdir(path.dirname(object), { recursive: true });
    if (!(await isThere(object))) await writeWhole(object, bytes);
  }
  const text: FileNote = { path: file, content };
  const beside = path.join(checkpointFolder(place, number), `.${randomBytes(6).toString('hex')}`);
  await writeFile(beside, JSON.stringify(text), { flush: true });
  // The first note wins: unlike a rename, a link never replaces a file.
  await link(beside, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(beside, { force: true });
}

export async function lookAt(
  root: string,
  file: string,
  limits: Required<CheckpointLimits>,
): Promise<{ readonly content: Content; readonly bytes?: Buffer }> {
  const place = path.join(root, file);
  if (await leadsOutside(root, file)) return { content: { type: 'left-out', reason: 'unreadable' } };
  try {
    const stats = await lstat(place);
    if (stats.isSymbolicLink()) return { content: { type: 'link', target: await readlink(place) } };
    if (!stats.isFile()) return { content: { type: 'left-out', reason: 'not-a-file' } };
    if (stats.size > limits.fileBytes) return { content: { type: 'left-out', reason: 'too-large' } };
    const bytes = await readFile(place);
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { content: { type: 'file', hash, mode: stats.mode & 0o7777 }, bytes };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { content: ABSENT };
    return { content: { type: 'left-out', reason: 'unreadable' } };
  }
}

/** True if a folder on the way is now a link out of the root: a command may have put it there (S8). */
export async function leadsOutside(root: string, file: string): Promise<boolean> {
  const top = await realpath(root);
  for (let at = path.dirname(path.join(root, file)); at !== path.dirname(at); at = path.dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return !isBelow(real, top);
    if (await isThere(at)) return true;
  }
  return true;
}

/** False if a folder or an unsaved file is in the way, or a link that leads out of the root. */
export async function putBack(
  place: CheckpointPlace,
  file: string,
  content: Extract<Content, { type: 'file' | 'link' }>,
): Promise<boolean> {
  const target = path.join(place.root, file);
  const beside = unfinishedName(target);
  if (await leadsOutside(place.root, file)) return false;
  try {
    await mkdir(path.dirname(target), { recursive: true });
    if (content.type === 'link') await symlink(content.target, beside);
    else {
      await writeFile(beside, await readFile(objectOf(place, content.hash)), { flush: true });
      await chmod(beside, content.mode);
    }
    await rename(beside, target);
    return true;
  } catch (error) {
    // If a file is in the folder's place, even the lookup fails.
    await rm(beside, { force: true }).catch(() => undefined);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR' || code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENOTEMPTY') return false;
    throw error;
  }
}

export async function stateAt(place: CheckpointPlace, number: number): Promise<ReadonlyMap<string, Content>> {
  const state = new Map<string, Content>();
  for (const one of await numbersOf(place)) {
    if (one < number) continue;
    for (const { path: file, content } of await notesOf(place, one))
      if (!state.has(file)) state.set(file, content);
  }
  return state;
}

export async function notesOf(place: CheckpointPlace, number: number): Promise<readonly FileNote[]> {
  const folder = checkpointFolder(place, number);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && name !== HEADER);
  const notes = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as FileNote),
  );
  return notes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

export async function numbersOf(place: CheckpointPlace): Promise<readonly number[]> {
  const names = await readdir(sessionFolder(place)).catch((): string[] => []);
  const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number);
  return numbers.toSorted((one, other) => one - other);
}

export function sameContent(one: Content, other: Content): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function sessionFolder(place: CheckpointPlace): string {
  return path.join(place.copies, refName(place.session));
}

export function checkpointFolder(place: CheckpointPlace, number: number): string {
  return path.join(sessionFolder(place), String(number));
}

function objectOf(place: CheckpointPlace, hash: string): string {
  return path.join(sessionFolder(place), 'objects', hash);
}

export async function writeWhole(file: string, content: string | Buffer): Promise<void> {
  const beside = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(beside, content, { flush: true });
  await rename(beside, file);
}
