/** Checkpoints in any folder: hidden commits in a repository, file copies elsewhere. */
import type { Checkpoint, CheckpointLimits, CheckpointPlace, Taken } from './checkpoint.ts';
import {
  diffCopies,
  dropCopies,
  listCopies,
  noteCopy,
  takeCopies,
  takeCopiesBefore,
} from './checkpoint-copies.ts';
import { dropGitCheckpoints, listGitCheckpoints, takeGitCheckpoint } from './checkpoint-git.ts';
import type { SessionFileChange } from '../ports/session-changes.ts';
import { type DiffOptions, fileChanges } from './file-changes.ts';
import type { GitFailure } from '../git/git-call.ts';
import { prefixOf, type Repository } from './repository.ts';
import { pathsOf } from './restore-git.ts';
import { openShadow } from './shadow-repository.ts';
import { snapshotTree } from './snapshot-tree.ts';
import { ignoredSince, withIgnored, notRestored } from './restore-checkpoint.ts';
import { inPlace, otherKind } from './in-repository.ts';

export interface TakeRequest extends CheckpointPlace {
  readonly label: string;
  readonly limits?: CheckpointLimits;
  readonly at?: number;
  /** Files to keep although git ignores them. Only in a repository. */
  readonly ignored?: readonly string[];
}

export async function takeCheckpoint(request: TakeRequest): Promise<Taken> {
  return await inPlace(
    request.root,
    (repository) => takeGitCheckpoint(repository, { ...request, at: request.at ?? Date.now() }),
    () => takeCopies({ ...request, at: request.at ?? Date.now() }),
  );
}

/**
 * Call before changing, creating or removing a file. Outside a repository it copies the file, once per checkpoint.
 * In a repository it does nothing.
 */
export async function noteTouched(
  place: CheckpointPlace & { readonly path: string },
): Promise<GitFailure | undefined> {
  return await inPlace(
    place.root,
    async () => undefined,
    () => noteCopy(place),
  );
}

export interface BeforeRequest {
  readonly root: string;
  readonly copies: string;
  /** The checkpoint to restore next. */
  readonly checkpoint: Checkpoint;
  readonly label: string;
  readonly limits?: CheckpointLimits;
  readonly at?: number;
}

/** Takes a checkpoint of everything that restoring `checkpoint` may change. */
export async function takeBefore(request: BeforeRequest): Promise<Taken> {
  const at = request.at ?? Date.now();
  return await inPlace<Taken>(
    request.root,
    (repository) => takeGitBefore(repository, { ...request, at }),
    () => takeCopiesBefore({ ...request, at }),
  );
}

/** Oldest first. */
export async function listCheckpoints(place: CheckpointPlace): Promise<readonly Checkpoint[] | GitFailure> {
  return await inPlace<readonly Checkpoint[] | GitFailure>(
    place.root,
    (repository) => listGitCheckpoints(repository, place.session),
    () => listCopies(place),
  );
}

/** Deletes every checkpoint of a session and returns their number. */
export async function dropCheckpoints(place: CheckpointPlace): Promise<number | GitFailure> {
  return await inPlace<number | GitFailure>(
    place.root,
    (repository) => dropGitCheckpoints(repository, place.session),
    () => dropCopies(place),
  );
}

interface DiffRequest extends DiffOptions {
  readonly root: string;
  readonly copies: string;
  readonly checkpoint: Checkpoint;
  /** The current files if absent. */
  readonly to?: Checkpoint;
}

/** The changes since a checkpoint, or between two. */
export async function diffCheckpoint(request: DiffRequest): Promise<readonly SessionFileChange[] | GitFailure> {
  return await inPlace<readonly SessionFileChange[] | GitFailure>(
    request.root,
    async (repository) => {
      const from = request.checkpoint.kept;
      if (from.type !== 'git' || (request.to !== undefined && request.to.kept.type !== 'git'))
        return otherKind(request);
      const to =
        request.to?.kept.type === 'git' ? request.to.kept.commit : await treeOfNow(repository, from.commit);
      if (typeof to !== 'string') return to;
      const opened = await openShadow(repository);
      if ('type' in opened) return opened;
      await using shadow = opened;
      const git = (args: readonly string[]) => shadow.text(args);
      const changes = await fileChanges(git, from.commit, to, request);
      if ('type' in changes || request.to !== undefined) return changes;
      const held = await ignoredSince(repository, request.checkpoint);
      if ('type' in held) return held;
      return await withIgnored(changes, { git, held, to, repository, request });
    },
    () => diffCopies(request),
  );
}

async function takeGitBefore(
  repository: Repository,
  request: BeforeRequest & { readonly at: number },
): Promise<Taken> {
  const { checkpoint, label, at, limits } = request;
  const { kept } = checkpoint;
  if (kept.type !== 'git') return otherKind(request);
  if (kept.folder !== prefixOf(repository))
    return notRestored(
      checkpoint,
      `it is of the folder ${kept.folder || '.'} of this repository, not of ${repository.root}.`,
    );
  const also = await pathsOf(repository, kept.commit);
  if ('type' in also) return notRestored(checkpoint, also.message);
  const { session } = checkpoint;
  const taken = await takeGitCheckpoint(repository, {
    session,
    label,
    at,
    also,
    ...(limits !== undefined && { limits }),
  });
  return taken.type === 'failed' ? notRestored(checkpoint, taken.message) : taken;
}

async function treeOfNow(repository: Repository, than: string): Promise<string | GitFailure> {
  const also = await pathsOf(repository, than);
  if ('type' in also) return also;
  const snapshot = await snapshotTree(repository, { also });
  return snapshot.type === 'tree' ? snapshot.tree : snapshot;
}
