import type { Journal } from '../journal/journal.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { State } from '../kernel/state.ts';

/** The shape of `State`; a snapshot of another shape is ignored and the journal folded instead. */
export const stateVersion = 1;

const smallestInterval = 256;

/**
 * Keeps one snapshot a session, replaced at intervals that grow with its length: opening costs a
 * bounded tail, and all snapshots ever written together stay linear in the journal.
 */
export function createSnapshotKeeper(journal: Journal, session: SessionId, snapshotSeq: number) {
  let kept = snapshotSeq;
  let saving: Promise<void> | undefined;
  const save = (state: State) => {
    kept = state.seq;
    const snapshot = { seq: state.seq, version: stateVersion, body: JSON.stringify(state) };
    // A cache: when it cannot be written the journal still has everything.
    const done = journal.saveSnapshot(session, snapshot).catch(() => undefined);
    saving = done;
    return done;
  };
  return {
    keep(state: State): void {
      if (state.seq - kept >= Math.max(smallestInterval, state.seq / 16)) void save(state);
    },
    async flush(state: State): Promise<void> {
      if (state.seq - kept >= smallestInterval / 2) await save(state);
      await saving;
    },
  };
}
