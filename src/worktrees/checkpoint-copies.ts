/** Checkpoints outside a repository: copies of files, made before each file's first change. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

import {
  type Checkpoint,
  type CheckpointLimits,
  type CheckpointPlace,
  DEFAULT_LIMITS,
  type Restored,
  type Taken,
} from './checkpoint.ts';
import type { SessionFileChange } from '../ports/session-changes.ts';
import {
  ABSENT,
  checkpointFolder,
  HEADER,
  leadsOutside,
  lookAt,
  type FileNote,
  note,
  notesOf,
  numbersOf,
  putBack,
  sameContent,
  sessionFolder,
  stateAt,
  writeWhole,
} from './file-notes.ts';
import type { GitFailure } from '../git/git-call.ts';
import { otherKind } from './in-repository.ts';
import { removeEmptyParents } from './restore-git.ts';

export async function takeCopies(
  request: CheckpointPlace & { readonly label: string; readonly at: number },
): Promise<Taken> {
  const { session, label, at, root } = request;
  const copies = await listCopies(request);
  const existing = copies.find((one) => one.label === label);
  if (existing !== undefined) return { type: 'taken', checkpoint: existing };
  const number = (copies.at(-1)?.kept as { readonly number: number } | undefined)?.number ?? 0;
  const next: Header = { session, label, at, root, number: number + 1 };
  await mkdir(checkpointFolder(request, next.number), { recursive: true });
  await writeWhole(path.join(checkpointFolder(request, next.number), HEADER), JSON.stringify(next));
  return { type: 'taken', checkpoint: fromHeader(next, []) };
}

export async function noteCopy(
  place: CheckpointPlace & { readonly path: string },
): Promise<GitFailure | undefined> {
  const newest = (await numbersOf(place)).at(-1);
  if (newest === undefined) return undefined;
  const file = path.relative(place.root, path.resolve(place.root, place.path)).split(path.sep).join('/');
  if (file === '' || file === '..' || file.startsWith('../') || path.isAbsolute(file))
    return {
      type: 'failed',
      message: `${place.path} is outside ${place.root}: it is not kept for session ${place.session}.`,
    };
  await note(place, newest, file, DEFAULT_LIMITS);
  return undefined;
}

export async function listCopies(place: CheckpointPlace): Promise<readonly Checkpoint[]> {
  const numbers = await numbersOf(place);
  return await Promise.all(
    numbers.map(async (number) => {
      const header = JSON.parse(
        await readFile(path.join(checkpointFolder(place, number), HEADER), 'utf8'),
      ) as Header;
      return fromHeader(header, await notesOf(place, number));
    }),
  );
}

export async function dropCopies(place: CheckpointPlace): Promise<number> {
  const numbers = await numbersOf(place);
  await rm(sessionFolder(place), { recursive: true, force: true });
  return numbers.length;
}

/** A checkpoint marks only a moment. The notes hold the content of each file that a restore may change. */
export async function takeCopiesBefore(request: {
  readonly root: string;
  readonly copies: string;
  readonly checkpoint: Checkpoint;
  readonly at: number;
  readonly label: string;
  readonly limits?: CheckpointLimits;
}): Promise<Taken> {
  const { root, checkpoint, at, label } = request;
  if (checkpoint.kept.type !== 'copies') return otherKind(request);
  const place: CheckpointPlace = { root, copies: request.copies, session: checkpoint.session };
  const wanted = await stateAt(place, checkpoint.kept.number);
  const taken = await takeCopies({ ...place, at, label });
  if (taken.type === 'failed' || taken.checkpoint.kept.type !== 'copies') return taken;
  for (const file of wanted.keys())
    await note(place, taken.checkpoint.kept.number, file, { ...DEFAULT_LIMITS, ...request.limits });
  return taken;
}

export async function restoreCopies(request: {
  readonly root: string;
  readonly copies: string;
  readonly checkpoint: Checkpoint;
  readonly before: Checkpoint;
}): Promise<Restored> {
  const { root, checkpoint, before } = request;
  if (checkpoint.kept.type !== 'copies' || before.kept.type !== 'copies') return otherKind(request);
  const place: CheckpointPlace = { root, copies: request.copies, session: checkpoint.session };
  const wanted = await stateAt(place, checkpoint.kept.number);
  const now = await stateAt(place, before.kept.number);
  const restored: string[] = [];
  const removed: string[] = [];
  const blocked: string[] = [];
  for (const [file, was] of wanted) {
    const is = now.get(file) ?? ABSENT;
    if (sameContent(was, is) || was.type === 'left-out') continue;
    if (is.type === 'left-out' || (await leadsOutside(root, file))) blocked.push(file);
    else if (was.type === 'absent') {
      await rm(path.join(root, file), { force: true });
      await removeEmptyParents(root, file);
      removed.push(file);
    } else {
      const isBack = await putBack(place, file, was);
      (isBack ? restored : blocked).push(file);
    }
  }
  return { type: 'restored', restored, removed, blocked };
}

export async function diffCopies(request: {
  readonly root: string;
  readonly copies: string;
  readonly checkpoint: Checkpoint;
  readonly to?: Checkpoint;
}): Promise<readonly SessionFileChange[] | GitFailure> {
  const { root, checkpoint, to } = request;
  const place: CheckpointPlace = { root, copies: request.copies, session: checkpoint.session };
  if (checkpoint.kept.type !== 'copies' || (to !== undefined && to.kept.type !== 'copies'))
    return otherKind(request);
  const was = await stateAt(place, checkpoint.kept.number);
  const later = to?.kept.type === 'copies' ? await stateAt(place, to.kept.number) : undefined;
  const changes: SessionFileChange[] = [];
  for (const [file, old] of was) {
    // A path without a note since the later checkpoint hasn't changed on disk.
    const current = later?.get(file) ?? (await lookAt(root, file, DEFAULT_LIMITS)).content;
    if (sameContent(old, current)) continue;
    const status = old.type === 'absent' ? 'added' : current.type === 'absent' ? 'deleted' : 'modified';
    changes.push({ path: file, status });
  }
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

interface Header {
  readonly session: string;
  readonly label: string;
  readonly at: number;
  readonly root: string;
  readonly number: number;
}

function fromHeader({ number, ...rest }: Header, notes: readonly FileNote[]): Checkpoint {
  const leftOut = notes.flatMap(({ path: file, content }) =>
    content.type === 'left-out' ? [{ path: file, reason: content.reason }] : [],
  );
  return { ...rest, kept: { type: 'copies', number }, leftOut };
}
