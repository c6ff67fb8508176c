import type { Checkpoint, Restored } from './checkpoint.ts';
import { restoreCopies } from './checkpoint-copies.ts';
import { listGitCheckpoints } from './checkpoint-git.ts';
import type { SessionFileChange } from '../ports/session-changes.ts';
import { type DiffOptions, fileChanges } from './file-changes.ts';
import type { GitFailure } from '../git/git-call.ts';
import type { Repository } from './repository.ts';
import { absentOf, writeBack, writeFiles } from './restore-git.ts';
import { inPlace, otherKind } from './in-repository.ts';

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
export async function ignoredSince(
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
export async function withIgnored(
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

export function notRestored({ label, session }: Checkpoint, message: string): GitFailure {
  return { type: 'failed', message: `Can't restore checkpoint ${label} of session ${session}: ${message}` };
}
