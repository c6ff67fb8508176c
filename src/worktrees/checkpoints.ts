/** Checkpoints in any folder: hidden commits in a repository, file copies elsewhere. */
import type { Checkpoint, CheckpointLimits, CheckpointPlace, Restored, Taken } from './checkpoint.ts';
import {
  diffCopies,
  dropCopies,
  listCopies,
  noteCopy,
  restoreCopies,
  takeCopies,
  takeCopiesBefore,
} from './checkpoint-copies.ts';
import { dropGitCheckpoints, listGitCheckpoints, takeGitCheckpoint } from './checkpoint-git.ts';
import type { SessionFileChange } from '../ports/session-changes.ts';
import { type DiffOptions, fileChanges } from './file-changes.ts';
import type { GitFailure } from '../git/git-call.ts';
import { findRepository, prefixOf, type Repository } from './repository.ts';
import { absentOf, pathsOf, writeBack, writeFiles } from './restore-git.ts';
import { openShadow } from './shadow-repository.ts';
import { snapshotTree } from './snapshot-tree.ts';

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

interface RestoreRequest {
  readonly root: string;
  readonly copies: string;
  readonly checkpoint: Checkpoint;
  /** From `takeBefore`. Restoring it undoes this restore. */
  readonly before: Checkpoint;
}

export async function restoreCheckpoint(request: RestoreRequest): Promise<Restored> {
  return await inPlace<Restored>(
    request.root,
    (repository) => restoreGit(repository, request),
    () => restoreCopies(request),
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

async function restoreGit(repository: Repository, request: RestoreRequest): Promise<Restored> {
  const { checkpoint, before } = request;
  const { kept } = checkpoint;
  if (kept.type !== 'git' || before.kept.type !== 'git') return otherKind(request);
  const written = await writeBack(repository, before.kept.commit, { ...kept, leftOut: checkpoint.leftOut });
  if (written.type === 'failed')
    return notRestored(checkpoint, `${written.message} What was there before is kept in ${before.kept.ref}.`);
  const { restored, removed, blocked } = written;
  const back = await restoreIgnored(repository, checkpoint);
  if ('type' in back) return notRestored(checkpoint, back.message);
  return { type: 'restored', restored: [...restored, ...back], removed, blocked };
}

async function restoreIgnored(
  repository: Repository,
  checkpoint: Checkpoint,
): Promise<readonly string[] | GitFailure> {
  const held = await ignoredSince(repository, checkpoint);
  if ('type' in held) return held;
  const absent = await absentOf(repository, [...held.keys()]);
  for (const commit of new Set(held.values())) {
    const files = absent.filter((file) => held.get(file) === commit);
    const written = await writeFiles(repository, commit, files);
    if (written !== undefined) return written;
  }
  return absent;
}

/** Ignored files that commands were about to delete since, with the oldest commit that holds each. */
async function ignoredSince(
  repository: Repository,
  { session, at }: Checkpoint,
): Promise<ReadonlyMap<string, string> | GitFailure> {
  const all = await listGitCheckpoints(repository, session);
  if ('type' in all) return all;
  const held = new Map<string, string>();
  for (const { kept, ignored = [], at: taken } of all) {
    if (kept.type !== 'git' || taken < at) continue;
    for (const file of ignored) if (!held.has(file)) held.set(file, kept.commit);
  }
  return held;
}

interface HeldFiles {
  readonly git: (args: readonly string[]) => Promise<string | GitFailure>;
  readonly held: ReadonlyMap<string, string>;
  readonly to: string;
  readonly repository: Repository;
  readonly request: DiffOptions;
}

/** A held file is compared with its copy: the checkpoint itself doesn't hold it, and a restore brings it back. */
async function withIgnored(
  changes: readonly SessionFileChange[],
  { git, held, to, repository, request }: HeldFiles,
): Promise<readonly SessionFileChange[] | GitFailure> {
  const standing = changes.filter(({ path, status }) => status === 'added' && held.has(path));
  const compared: SessionFileChange[] = [];
  for (const commit of new Set(standing.map(({ path }) => held.get(path) ?? ''))) {
    const paths = standing.flatMap(({ path }) => (held.get(path) === commit ? [path] : []));
    const found = await fileChanges(git, commit, to, { ...request, paths });
    if ('type' in found) return found;
    compared.push(...found);
  }
  const gone = await absentOf(repository, [...held.keys()]);
  return [
    ...changes.filter((change) => !standing.includes(change)),
    ...compared,
    ...gone.map((path) => ({ path, status: 'deleted' }) as const),
  ];
}

function notRestored({ label, session }: Checkpoint, message: string): GitFailure {
  return { type: 'failed', message: `Can't restore checkpoint ${label} of session ${session}: ${message}` };
}

async function treeOfNow(repository: Repository, than: string): Promise<string | GitFailure> {
  const also = await pathsOf(repository, than);
  if ('type' in also) return also;
  const snapshot = await snapshotTree(repository, { also });
  return snapshot.type === 'tree' ? snapshot.tree : snapshot;
}

async function inPlace<Answer>(
  root: string,
  inRepository: (repository: Repository) => Promise<Answer>,
  elsewhere: () => Promise<Answer>,
): Promise<Answer | GitFailure> {
  try {
    const repository = await findRepository(root);
    switch (repository.type) {
      case 'failed':
        return repository;
      case 'no-repository':
        return await elsewhere();
      case 'repository':
        return await inRepository(repository);
    }
  } catch (error) {
    // A full disk or a read-only folder is an outcome like any other.
    return {
      type: 'failed',
      message: `The checkpoints of ${root}: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function otherKind({ root, checkpoint }: { readonly root: string; readonly checkpoint: Checkpoint }): GitFailure {
  return {
    type: 'failed',
    message: `Checkpoint ${checkpoint.label} of session ${checkpoint.session} was kept ${
      checkpoint.kept.type === 'git' ? 'in a git repository' : 'as copies of files'
    }, and ${root} is ${checkpoint.kept.type === 'git' ? 'in none' : 'now in one'}: it cannot be used there.`,
  };
}
