import path from 'node:path';

import { createRondo } from '../../src/rondo.ts';
import type { Model } from '../../src/ports/model.ts';
import { startBenchServer } from './bench-server.ts';
import type { ServedSide } from './serve-load.ts';

const model: Model = {
  name: 'bench',
  call: () =>
    Promise.resolve({
      type: 'completed',
      text: 'done',
      calls: [],
      usage: { inputTokens: 1, outputTokens: 1, cost: 0 },
      stop: 'end',
    }),
};

export async function startRondoServer(folder: string): Promise<ServedSide> {
  const ends = new Map<string, () => void>();
  const rondo = await createRondo({
    store: `sqlite:${path.join(folder, 'rondo.db')}`,
    agents: { bench: {} },
    models: { bench: model },
    hibernateAfterMs: 200,
    onEvent(session, { event }) {
      if (event.type === 'turn-ended') ends.get(session)?.();
    },
  });
  const server = await startBenchServer(rondo, { requestsPerSecond: 1_000_000 });
  return {
    url: `${server.url}/api/v1`,
    headers: { authorization: `Bearer ${server.owner}` },
    create: { path: '/sessions', body: {} },
    list: '/sessions?limit=1000',
    /** Until the turn's end is recorded. */
    async prompt(post, session) {
      const over = Promise.withResolvers<void>();
      ends.set(session, over.resolve);
      await post(`/sessions/${session}/inputs`, { type: 'chat', text: 'go' });
      await over.promise;
      ends.delete(session);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
