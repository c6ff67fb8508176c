/** Checkpoints of a session's folder: hidden commits where there is a repository, else copies in the person's home. */
import path from 'node:path';

import type { FileCheckpoint } from '../kernel/checkpoint.ts';
import type { State } from '../kernel/state.ts';
import type { Checkpoints } from '../runtime/capabilities.ts';
import type { RestoreFiles } from '../session/rewind-session.ts';
import type { RemovalParts } from '../upkeep/remove-session.ts';
import type { Checkpoint } from '../worktrees/checkpoint.ts';
import {
  dropCheckpoints,
  listCheckpoints,
  noteTouched,
  restoreCheckpoint,
  takeCheckpoint,
} from '../worktrees/checkpoints.ts';

export interface FileCheckpoints extends Checkpoints {
  readonly restore: RestoreFiles;
  /** Removes what was kept for a session that is gone. */
  readonly forget: NonNullable<RemovalParts['forget']>;
}

export interface FileCheckpointParts {
  readonly home: string;
  /** Whether files are to be kept in a folder; they are where it is not said. */
  readonly isWanted?: (cwd: string) => Promise<boolean>;
}

export function createFileCheckpoints({ home, isWanted }: FileCheckpointParts): FileCheckpoints {
  const copies = path.join(home, 'checkpoints');
  const placeOf = ({ id, cwd }: State) => ({ root: cwd, session: id, copies });
  return {
    async take(state, turn) {
      if (isWanted !== undefined && !(await isWanted(state.cwd))) return undefined;
      const taken = await takeCheckpoint({ ...placeOf(state), label: `turn-${turn}` });
      return taken.type === 'taken' ? recordedAs(taken.checkpoint) : taken.message;
    },
    async touch(state, { kept }, paths) {
      if (kept.type === 'git') return;
      for (const file of paths) await noteTouched({ ...placeOf(state), path: file });
    },
    async forget({ session, cwd }) {
      await dropCheckpoints({ root: cwd, session, copies });
    },
    async restore({ label }, state) {
      const place = placeOf(state);
      const all = await listCheckpoints(place);
      if ('type' in all) return all;
      const checkpoint = all.find((known) => known.label === label);
      if (checkpoint === undefined) {
        const message = `checkpoint ${label} of session ${state.id} is gone; only the conversation can go back (--conversation)`;
        return { type: 'failed', message };
      }
      const done = await restoreCheckpoint({ root: place.root, copies: place.copies, checkpoint });
      if (done.type === 'failed') return done;
      const { before, restored, removed, blocked } = done;
      return { type: 'restored', before: recordedAs(before), restored, removed, blocked };
    },
  };
}

/** What is left out stays with the checkpoint itself: events are small. */
function recordedAs({ label, at, root, kept }: Checkpoint): FileCheckpoint {
  if (kept.type === 'copies') return { label, at, root, kept: { type: 'copies', number: kept.number } };
  const { commit, ref, head } = kept;
  return { label, at, root, kept: { type: 'git', commit, ref, ...(head !== undefined && { head }) } };
}
