import { createFileCheckpoints } from '../assembly/sessions/file-checkpoints.ts';
import type { Store } from '../ports/store.ts';
import { createRondo, type Rondo } from '../rondo.ts';
import type { Tool } from '../ports/tool.ts';
import { homeFolder } from './home.ts';

/**
 * For commands that end work but run none. It may open a session to send it an input; models and tools then only
 * wait. The caller keeps the store open.
 */
export function createQuietRondo(store: Store): Promise<Rondo> {
  return createRondo({
    store: { ...store, [Symbol.asyncDispose]: () => Promise.resolve() },
    agents: {},
    labels: 'any',
    models: () => new Promise<never>(() => undefined),
    checkpoints: createFileCheckpoints({ home: homeFolder() }),
    tools: { get: waitingTool, offered: () => [], [Symbol.asyncDispose]: () => Promise.resolve() },
  });
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
