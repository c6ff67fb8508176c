import type { Journal } from '../../ports/journal.ts';
import { evolve } from '../../kernel/evolve/evolve.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { newState, type State } from '../../kernel/state.ts';

const pageSize = 5000;

/**
 * The session's state when it was last idle, at or before an event: a point where a conversation can continue
 * without cutting a turn in half. Prompts may wait at that point: a prompt joins the conversation when its turn
 * starts. Folded from the start, since snapshots only hold the present. Undefined if the
 * session doesn't exist.
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
