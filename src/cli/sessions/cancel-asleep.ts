import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import { createQuietRondo } from '../quiet-rondo.ts';
import { terminalActor } from '../terminal-actor.ts';

/**
 * Cancels a session whose owner died mid-turn. That requires taking the session over, which would normally resume
 * its work. Here nothing resumes, and processes left by the dead owner are ended.
 */
export async function cancelAsleep(store: Store, id: SessionId, reason: string | undefined): Promise<void> {
  await using rondo = await createQuietRondo(store);
  const session = await rondo.sessions.open(id);
  await session.send({ type: 'interrupt', ...optional({ reason }) }, { by: terminalActor });
  await session.wait({ whenAsked: 'wait' });
  await session.close();
}
