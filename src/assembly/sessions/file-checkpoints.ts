/** Checkpoints of a session's folder: hidden commits in a repository, else copies in the person's home. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { findGitPlace } from '../../git/find-git-place.ts';
import type { FileCheckpoint } from '../../kernel/checkpoint.ts';
import { optional } from '../../kernel/optional.ts';
import type { State } from '../../kernel/state.ts';
import type { SessionFileChange } from '../../ports/session-changes.ts';
import type { Checkpoints } from '../../runtime/capabilities.ts';
import type { RemovalParts } from '../../upkeep/remove-session.ts';
import type { Checkpoint } from '../../worktrees/checkpoint.ts';
import {
  diffCheckpoint,
  dropCheckpoints,
  listCheckpoints,
  noteTouched,
  takeBefore,
  takeCheckpoint,
} from '../../worktrees/checkpoints.ts';
import { restoreCheckpoint } from '../../worktrees/restore-checkpoint.ts';

export interface FileCheckpoints extends Checkpoints {
  /** Removes the checkpoints of a removed session. */
  readonly forget: NonNullable<RemovalParts['forget']>;
  /** The files that differ from a checkpoint. A string explains a failure. */
  changes(
    state: State,
    checkpoint: FileCheckpoint,
    options: { readonly patch: boolean },
  ): Promise<readonly SessionFileChange[] | string>;
}

interface FileCheckpointParts {
  readonly home: string;
  /** True if a folder's files should be saved. Default: true. */
  readonly isWanted?: (cwd: string) => Promise<boolean>;
}

export function createFileCheckpoints({ home, isWanted }: FileCheckpointParts): FileCheckpoints {
  const copies = path.join(home, 'checkpoints');
  const placeOf = ({ id, cwd }: State) => ({ root: cwd, session: id, copies });
  /** A string explains why it is unavailable. */
  async function find(state: State, label: string): Promise<Checkpoint | string> {
    const all = await listCheckpoints(placeOf(state));
    if ('type' in all) return all.message;
    return (
      all.find((one) => one.label === label) ??
      `checkpoint ${label} of session ${state.id} is gone; only the conversation can go back (--conversation)`
    );
  }
  return {
    async take(state, turn) {
      if (isWanted !== undefined && !(await isWanted(state.cwd))) return undefined;
      const taken = await takeCheckpoint({ ...placeOf(state), label: `turn-${turn}` });
      return taken.type === 'taken' ? recordedAs(taken.checkpoint) : taken.message;
    },
    async canTakeAll({ cwd }) {
      if (isWanted !== undefined && !(await isWanted(cwd))) return false;
      return (await findGitPlace(cwd)).type === 'place';
    },
    async takeAll(state, label, ignored) {
      const files = await filesBelow(state.cwd, ignored);
      const taken = await takeCheckpoint({ ...placeOf(state), label, ignored: files });
      if (taken.type !== 'taken') return taken.message;
      const { kept, leftOut } = taken.checkpoint;
      const [missing] = leftOut;
      if (kept.type !== 'git') return "Can't keep all files: this folder isn't in a git repository.";
      if (missing !== undefined) return `${missing.path} can't be kept (${missing.reason}).`;
      return recordedAs(taken.checkpoint);
    },
    async touch(state, { kept }, paths) {
      if (kept.type === 'git') return;
      for (const file of paths) await noteTouched({ ...placeOf(state), path: file });
    },
    async forget({ session, cwd }) {
      await dropCheckpoints({ root: cwd, session, copies });
    },
    async changes(state, { label }, { patch }) {
      const checkpoint = await find(state, label);
      if (typeof checkpoint === 'string') return checkpoint;
      const changes = await diffCheckpoint({ root: state.cwd, copies, checkpoint, patch });
      return 'type' in changes ? changes.message : changes;
    },
    async takeBefore(state, { label: wanted }, label) {
      const checkpoint = await find(state, wanted);
      if (typeof checkpoint === 'string') return checkpoint;
      const taken = await takeBefore({ root: state.cwd, copies, checkpoint, label });
      return taken.type === 'taken' ? recordedAs(taken.checkpoint) : taken.message;
    },
    async restore(state, wanted, kept) {
      const checkpoint = await find(state, wanted.label);
      if (typeof checkpoint === 'string') return checkpoint;
      const before = await find(state, kept.label);
      if (typeof before === 'string') return before;
      const done = await restoreCheckpoint({ root: state.cwd, copies, checkpoint, before });
      if (done.type === 'failed') return done.message;
      const { restored, removed, blocked } = done;
      return { restored, removed, blocked };
    },
  };
}

/** The files at and below these paths of a folder, relative to it. */
async function filesBelow(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const names = await Promise.all(
    paths.map(async (place) => {
      const entries = await readdir(path.join(folder, place), { recursive: true, withFileTypes: true }).catch(
        () => undefined,
      );
      if (entries === undefined) return [place];
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
    }),
  );
  return names.flat().map((file) => file.split(path.sep).join('/'));
}

/** The list of omitted files stays in the checkpoint itself, because events are small. */
function recordedAs({ label, at, root, kept }: Checkpoint): FileCheckpoint {
  if (kept.type === 'copies') return { label, at, root, kept: { type: 'copies', number: kept.number } };
  const { commit, ref, head } = kept;
  return { label, at, root, kept: { type: 'git', commit, ref, ...optional({ head }) } };
}
