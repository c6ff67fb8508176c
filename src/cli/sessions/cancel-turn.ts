import type { SessionId } from '../../kernel/ids.ts';
import { turnOf } from '../../kernel/state.ts';
import { doingLine } from '../../views/doing.ts';
import { lifecycleOf } from '../../views/status.ts';
import { cancelAsleep } from './cancel-asleep.ts';
import { deliver, livingOwner } from './reach-session.ts';
import type { StoredSessions } from './stored-sessions.ts';

export type CancelResult =
  | { readonly type: 'not-running'; readonly state: string }
  | { readonly type: 'cancelled' }
  | { readonly type: 'asked'; readonly pid: number }
  /** The owner doesn't answer, or ended since: the next one cancels. */
  | { readonly type: 'kept'; readonly pid: number }
  | { readonly type: 'refused'; readonly message: string };

/** Stops a session's current turn, whichever process runs it. */
export async function cancelTurn(
  stored: Pick<StoredSessions, 'store' | 'load'>,
  session: SessionId,
  reason: string,
): Promise<CancelResult> {
  const { state } = await stored.load(session);
  const lifecycle = lifecycleOf(state);
  if (turnOf(state) === undefined) return { type: 'not-running', state: doingLine(state) ?? lifecycle };
  const owner = await livingOwner(stored.store, session);
  if (owner === undefined) {
    await cancelAsleep(stored.store, session, reason);
    return { type: 'cancelled' };
  }
  const done = await deliver(stored.store, session, { type: 'interrupted', reason });
  if (done.type !== 'kept') return done;
  // A process that cancels and exits at once has released the session before anyone looks for its owner.
  const isOver = turnOf((await stored.load(session)).state) === undefined;
  return { type: isOver ? 'asked' : 'kept', pid: owner.pid };
}
