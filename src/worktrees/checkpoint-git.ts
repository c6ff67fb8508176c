import type { Checkpoint, CheckpointLimits, LeftOut, Taken } from './checkpoint.ts';
import type { GitFailure } from '../git/git-call.ts';
import { gitText } from '../git/run-git.ts';
import { refName } from './ref-name.ts';
import { prefixOf, type Repository, resolveCommit } from './repository.ts';
import { snapshotTree } from './snapshot-tree.ts';

interface GitCheckpointRequest {
  readonly session: string;
  readonly label: string;
  readonly at: number;
  readonly limits?: CheckpointLimits;
  /** Paths below the root to keep even if git ignores them. */
  readonly also?: readonly string[];
  /** Ignored files to keep and to note. */
  readonly ignored?: readonly string[];
}

export async function takeGitCheckpoint(repository: Repository, request: GitCheckpointRequest): Promise<Taken> {
  const { session, label, at, also = [], ignored = [] } = request;
  const ref = checkpointRef(session, label);
  const orEarlier = async (failure: GitFailure): Promise<Taken> => {
    // Repeats are rare, so this is looked up last.
    const earlier = await readCheckpoint(repository, ref);
    return earlier === undefined ? failed(request, failure) : { type: 'taken', checkpoint: earlier };
  };
  const [snapshot, head] = await Promise.all([
    snapshotTree(repository, { ...request, also: [...also, ...ignored] }),
    resolveCommit(repository.root, 'HEAD'),
  ]);
  if (snapshot.type === 'failed') return orEarlier(snapshot);
  const note: Note = {
    session,
    label,
    at,
    root: repository.root,
    folder: prefixOf(repository),
    leftOut: snapshot.leftOut,
    ...(ignored.length > 0 && { ignored }),
  };
  const commit = await gitText({
    cwd: repository.root,
    dir: 'generated',
    args: ['commit-tree', snapshot.tree, ...(head === undefined ? [] : ['-p', head]), '-F', '-'],
    input: `Rondo checkpoint ${label} of ${session}\n\n${JSON.stringify(note)}\n`,
    environment: identity(at),
  });
  if (typeof commit !== 'string') return failed(request, commit);
  const stored = await gitText({
    cwd: repository.root,
    dir: 'generated',
    args: ['update-ref', '--no-deref', ref, commit.trim(), '0'.repeat(commit.trim().length)],
  });
  return typeof stored === 'string'
    ? { type: 'taken', checkpoint: fromNote(note, { ref, commit: commit.trim(), head }) }
    : orEarlier(stored);
}

/** Oldest first; of one session, or of all. */
export async function listGitCheckpoints(
  repository: Repository,
  session?: string,
): Promise<readonly Checkpoint[] | GitFailure> {
  return await readRefs(repository, session === undefined ? ROOT : `${ROOT}/${refName(session)}`);
}

export async function dropGitCheckpoints(repository: Repository, session: string): Promise<number | GitFailure> {
  const own = await listGitCheckpoints(repository, session);
  if ('type' in own) return own;
  const refs = own.flatMap(({ kept }) => (kept.type === 'git' ? [kept] : []));
  const answer = await gitText({
    cwd: repository.root,
    dir: 'generated',
    args: ['update-ref', '--stdin'],
    input: refs.map(({ ref, commit }) => `delete ${ref} ${commit}\n`).join(''),
  });
  return typeof answer === 'string' ? refs.length : answer;
}

function checkpointRef(session: string, label: string): string {
  return `${ROOT}/${refName(session)}/${refName(label)}`;
}

const ROOT = 'refs/rondo';

/** The line of JSON in the commit's message. */
interface Note {
  readonly session: string;
  readonly label: string;
  readonly at: number;
  readonly root: string;
  readonly folder: string;
  readonly leftOut: readonly LeftOut[];
  readonly ignored?: readonly string[];
}

interface Kept {
  readonly ref: string;
  readonly commit: string;
  readonly head: string | undefined;
}

async function readCheckpoint(repository: Repository, ref: string): Promise<Checkpoint | undefined> {
  const list = await readRefs(repository, ref);
  return 'type' in list ? undefined : list[0];
}

async function readRefs(repository: Repository, pattern: string): Promise<readonly Checkpoint[] | GitFailure> {
  const text = await gitText({
    cwd: repository.root,
    dir: 'generated',
    args: ['for-each-ref', '--format=%(refname)%09%(objectname)%09%(parent)%09%(contents:body)', pattern],
  });
  if (typeof text !== 'string') return text;
  const checkpoints = text.split('\n').flatMap((line) => {
    const [ref, commit, head, ...note] = line.split('\t');
    const read = ref === undefined || commit === undefined ? undefined : readNote(note.join('\t'));
    if (ref === undefined || commit === undefined || read === undefined) return [];
    return [fromNote(read, { ref, commit, head: head === '' ? undefined : head })];
  });
  return checkpoints.toSorted((one, other) => one.at - other.at);
}

/** Undefined for a ref that Rondo didn't write. */
function readNote(text: string): Note | undefined {
  try {
    const note: unknown = JSON.parse(text);
    return typeof note === 'object' && note !== null && 'leftOut' in note ? (note as Note) : undefined;
  } catch {
    return undefined;
  }
}

function fromNote(note: Note, { ref, commit, head }: Kept): Checkpoint {
  const { session, label, at, root, folder, leftOut, ignored } = note;
  return {
    session,
    label,
    at,
    root,
    leftOut,
    ...(ignored !== undefined && { ignored }),
    kept: { type: 'git', ref, commit, folder, ...(head !== undefined && { head }) },
  };
}

function identity(at: number): Readonly<Record<string, string>> {
  const date = `@${Math.floor(at / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: 'Rondo',
    GIT_AUTHOR_EMAIL: 'rondo@localhost',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: 'Rondo',
    GIT_COMMITTER_EMAIL: 'rondo@localhost',
    GIT_COMMITTER_DATE: date,
  };
}

function failed({ session, label }: GitCheckpointRequest, { message }: GitFailure): Taken {
  return { type: 'failed', message: `Can't take checkpoint ${label} of session ${session}: ${message}` };
}
