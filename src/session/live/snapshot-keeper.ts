import type { Journal } from '../../ports/journal.ts';
import type { State } from '../../kernel/state.ts';
import { stateVersion } from '../read/load-session.ts';

const smallestInterval = 256;
/** Of snapshots, for each event. */
const mostCharacters = 16;

/**
 * One snapshot a session, replaced at intervals that grow with its size: opening costs a bounded tail, and
 * all snapshots ever written together stay linear in the journal.
 */
export interface SnapshotKeeper {
  /** Sequence of the newest snapshot. */
  kept: number;
  /** Its length; 0 where there is none. */
  size: number;
  saving: Promise<void> | undefined;
}

/** How many events after a snapshot of that length the next is due. */
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
  // A cache: when it cannot be written the journal still has everything.
  keeper.saving = journal
    .saveSnapshot(state.id, { seq: state.seq, version: stateVersion, body }, { epoch })
    .catch(() => undefined);
}
