import type { Damage, Journal } from '../../ports/journal.ts';
import { evolve } from '../../kernel/evolve/evolve.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState, type State } from '../../kernel/state.ts';

/** The version of `State`'s shape. Snapshots of another version are ignored, and the journal is folded instead. */
export const stateVersion = 2;

export interface LoadedSession {
  readonly state: State;
  /** The sequence of the snapshot it was loaded from. 0 if the journal was folded from its start. */
  readonly snapshotSeq: number;
  /** The snapshot's length. */
  readonly snapshotSize: number;
  readonly damage?: Damage;
}

const pageSize = 5000;

/** The state from the journal: the snapshot, if a usable one exists, and the tail after it. */
export async function loadSession(journal: Journal, session: SessionId): Promise<LoadedSession | undefined> {
  const snapshot = await journal.loadSnapshot(session);
  const usable = snapshot?.version === stateVersion ? snapshot : undefined;
  let state = usable === undefined ? newState(session) : (JSON.parse(usable.body) as State);
  const from = { snapshotSeq: state.seq, snapshotSize: usable?.body.length ?? 0 };
  for (;;) {
    const page = await journal.read(session, { after: state.seq, limit: pageSize });
    for (const recorded of page.events) state = evolve(state, recorded);
    if (page.damage !== undefined) return { state, ...from, damage: page.damage };
    if (page.events.length === 0 || state.seq >= page.last) break;
  }
  return state.seq === 0 ? undefined : { state, ...from };
}
