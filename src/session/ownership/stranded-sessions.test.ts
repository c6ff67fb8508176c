import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { readerVersion } from '../../journal/reader-version.ts';
import { createRondo } from '../../rondo.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { strandedSessions } from './stranded-sessions.ts';

test('[C153] work that needs a label waits for a node that offers it, and its status names the label', async () => {
  const store = createMemoryStore();
  const running = Promise.withResolvers<void>();
  const tools = [testTool('work', () => (running.resolve(), new Promise<never>(() => undefined)))];
  const agents = { trainer: { model: 'testing', needs: ['gpu', 'eu'] } } as const;
  const gone = await createRondo({ ...testingAgent({ store, tools }), agents, labels: ['gpu', 'eu'] });
  const { id, chat } = await gone.sessions.create({ agent: 'trainer' });
  chat('call work {}').catch(() => undefined);
  await running.promise;
  store.crash();

  const seat = store.another();
  const left = await rondoOfTest({ ...testingAgent({ store: seat, tools }), agents, labels: ['eu'] });
  const missing = async () => (await (await left.sessions.open(id)).status()).missingLabels;
  const stranded = () => strandedSessions(seat, 'here', Date.now());
  expect(await missing()).toEqual(['gpu']);
  expect(await stranded()).toEqual([{ session: id, labels: ['gpu', 'eu'] }]);

  await store.another().nodes.register({
    name: 'b',
    labels: ['gpu', 'eu'],
    capacity: 1,
    version: '1',
    reader: readerVersion,
    publicKey: '',
    startedAt: 0,
    isDraining: false,
  });
  expect([await missing(), await stranded()]).toEqual([undefined, []]);
});
