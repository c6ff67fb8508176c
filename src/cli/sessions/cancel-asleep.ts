import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { createQuietRondo } from '../quiet-rondo.ts';
import { terminalActor } from '../terminal-actor.ts';

/**
 * Cancels a session that its owner left in the middle. It has to be taken over for that, which would
 * take up what was in flight; here nothing is taken up. What the dead owner left running is ended.
 */
export async function cancelAsleep(store: Store, id: SessionId, reason: string): Promise<void> {
  await using rondo = await createQuietRondo(store);
  const session = await rondo.sessions.open(id);
  await session.send({ type: 'interrupt', reason }, { by: terminalActor });
  await session.wait({ whenAsked: 'wait' });
  await session.close();
}
