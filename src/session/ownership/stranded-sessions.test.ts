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

test('[P5] [C153] an input that no running node can take is stored once, and its sender learns that it waits', async () => {
  const store = createMemoryStore();
  const agents = { trainer: { model: 'testing', needs: ['gpu'] } } as const;
  const gone = await createRondo({ ...testingAgent({ store }), agents, labels: ['gpu'] });
  const { id, chat } = await gone.sessions.create({ agent: 'trainer' });
  await chat('say hello');
  store.crash();

  const seat = store.another();
  const left = await rondoOfTest({ ...testingAgent({ store: seat }), agents, labels: [] });
  const session = await left.sessions.open(id);
  const { seq } = await session.status();
  const waits =
    "Agent trainer needs the label gpu, which this machine doesn't offer. No running node does. If this machine can " +
    'serve it, add the label to "server": { "labels": […] } in rondo.json. The input is stored and waits.';
  const send = () => session.send({ type: 'chat', text: 'say again' }, { key: 'once' });
  const accepted = { type: 'accepted', seq: seq + 1, waits };
  expect([await send(), await send()]).toEqual([accepted, accepted]);
  expect(await session.chat('say more')).toMatchObject({
    outcome: 'needs-input',
    reason: `Session ${id}: ${waits}`,
  });

  const able = await rondoOfTest({ ...testingAgent({ store: store.another() }), agents, labels: ['gpu'] });
  const served = await able.sessions.open(id);
  await served.chat('say last');
  const { events } = await served.events({ after: 0 });
  const prompts = events.flatMap(({ event }) =>
    event.type === 'prompt-received' && event.request.type === 'chat' ? [event.request.text] : [],
  );
  expect(prompts).toEqual(['say hello', 'say again', 'say more', 'say last']);
});
