import type { Journal } from '../../ports/journal.ts';
import type { State } from '../../kernel/state.ts';
import { stateVersion } from '../read/load-session.ts';

const smallestInterval = 256;
/** Of snapshots, per event. */
const mostCharacters = 16;

/**
 * One snapshot per session, replaced at intervals that grow with its size. Opening a session reads a bounded tail,
 * and the total size of all snapshots ever written stays linear in the journal.
 */
export interface SnapshotKeeper {
  /** The newest snapshot's sequence. */
  kept: number;
  /** The newest snapshot's length. 0 if there is none. */
  size: number;
  saving: Promise<void> | undefined;
}

/** The number of events between a snapshot of this length and the next one. */
export function snapshotInterval(size: number): number {
  return Math.max(smallestInterval, size / mostCharacters);
}

type By = Parameters<Journal['saveSnapshot']>[2];

export function keepSnapshot(keeper: SnapshotKeeper, journal: Journal, by: By, state: State): void {
  if (state.seq - keeper.kept >= snapshotInterval(keeper.size)) save(keeper, journal, by, state);
}

export async function flushSnapshot(
  keeper: SnapshotKeeper,
  journal: Journal,
  by: By,
  state: State,
): Promise<void> {
  if (state.seq - keeper.kept >= smallestInterval / 2) save(keeper, journal, by, state);
  await keeper.saving;
}

function save(keeper: SnapshotKeeper, journal: Journal, { epoch }: By, state: State): void {
  const body = JSON.stringify(state);
  keeper.kept = state.seq;
  keeper.size = body.length;
  // A snapshot is a cache: if writing it fails, the journal still has everything.
  keeper.saving = journal
    .saveSnapshot(state.id, { seq: state.seq, version: stateVersion, body }, { epoch })
    .catch(() => undefined);
}
