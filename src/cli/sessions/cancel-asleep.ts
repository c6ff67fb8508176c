import type { Store } from '../../journal/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { createRondo } from '../../rondo.ts';
import type { Tool } from '../../runtime/tool.ts';
import { terminalActor } from '../terminal-actor.ts';

/**
 * Cancels a session that its owner left in the middle. It has to be taken over for that, which would
 * take up what was in flight; here nothing is taken up: models and tools only wait to be cancelled.
 * What the dead owner left running is ended.
 */
export async function cancelAsleep(store: Store, id: SessionId, reason: string): Promise<void> {
  const owning = { ...store, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using rondo = await createRondo({
    store: owning,
    agents: {},
    models: () => new Promise<never>(() => undefined),
    tools: {
      get: waitingTool,
      offered: () => [],
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  });
  const session = await rondo.sessions.open(id);
  await session.send({ type: 'interrupt', reason }, { by: terminalActor });
  await session.wait({ whenAsked: 'wait' });
  await session.close();
}

function waitingTool(name: string): Tool {
  return {
    name,
    description: '',
    parameters: {},
    describe: () => ({ access: 'execute', repeat: 'never', order: 'exclusive', runs: 'tool' }),
    run: (_args, { signal }) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve({ type: 'cancelled' });
        signal.addEventListener('abort', () => resolve({ type: 'cancelled' }), { once: true });
      }),
  };
}
