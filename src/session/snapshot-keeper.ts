import type { Journal } from '../journal/journal.ts';
import type { State } from '../kernel/state.ts';

/** The shape of `State`; a snapshot of another shape is ignored and the journal folded instead. */
export const stateVersion = 1;

const smallestInterval = 256;

/**
 * One snapshot a session, replaced at intervals that grow with its length: opening costs a bounded tail, and
 * all snapshots ever written together stay linear in the journal.
 */
export interface SnapshotKeeper {
  /** Sequence of the newest snapshot. */
  kept: number;
  saving: Promise<void> | undefined;
}

export function keepSnapshot(keeper: SnapshotKeeper, journal: Journal, state: State): void {
  if (state.seq - keeper.kept >= Math.max(smallestInterval, state.seq / 16)) save(keeper, journal, state);
}

export async function flushSnapshot(keeper: SnapshotKeeper, journal: Journal, state: State): Promise<void> {
  if (state.seq - keeper.kept >= smallestInterval / 2) save(keeper, journal, state);
  await keeper.saving;
}

function save(keeper: SnapshotKeeper, journal: Journal, state: State): void {
  keeper.kept = state.seq;
  const snapshot = { seq: state.seq, version: stateVersion, body: JSON.stringify(state) };
  // A cache: when it cannot be written the journal still has everything.
  keeper.saving = journal.saveSnapshot(state.id, snapshot).catch(() => undefined);
}
