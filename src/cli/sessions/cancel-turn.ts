import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import { turnOf } from '../../kernel/state.ts';
import { cancelAsleep } from './cancel-asleep.ts';
import { deliver, livingOwner, type Delivered } from './reach-session.ts';
import type { StoredSessions } from './stored-sessions.ts';

/** `cancelled`: no process ran it. */
type CancelResult = Delivered | { readonly type: 'cancelled' };

/** Stops a session's current turn, whichever process runs it. */
export async function cancelTurn(
  stored: Pick<StoredSessions, 'store' | 'load'>,
  session: SessionId,
  reason: string | undefined,
): Promise<CancelResult> {
  const owner = await livingOwner(stored.store, session);
  if (owner === undefined) {
    await cancelAsleep(stored.store, session, reason);
    return { type: 'cancelled' };
  }
  const done = await deliver(stored.store, session, { type: 'interrupted', ...optional({ reason }) });
  if (done.type !== 'kept') return done;
  // A process that cancels and exits at once has released the session before anyone looks for its owner.
  const isOver = turnOf((await stored.load(session)).state) === undefined;
  return isOver ? { type: 'asked', pid: owner.pid } : { ...done, silent: owner.pid };
}
