import type { Journal } from '../../ports/journal.ts';
import { evolve } from '../../kernel/evolve/evolve.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState, type State } from '../../kernel/state.ts';

const pageSize = 5000;

/**
 * What the session was when it last rested at or before an event: a point from which a conversation can go
 * on, with no turn cut in half. Folded from the start, for snapshots are only of now. Undefined where there
 * is no such session.
 */
export async function restAt(journal: Journal, session: SessionId, at: number): Promise<State | undefined> {
  let state = newState(session);
  let rest: State | undefined;
  for (;;) {
    const page = await journal.read(session, { after: state.seq, limit: pageSize });
    for (const recorded of page.events) {
      if (recorded.seq > at) return rest;
      state = evolve(state, recorded);
      if (state.phase.type === 'idle' || state.phase.type === 'closed') rest = state;
    }
    if (page.events.length === 0 || state.seq >= page.last) return rest;
  }
}
