import { expect, onTestFinished, test, vi } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import type { Store } from '../../ports/store.ts';
import { createRondo } from '../../rondo.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

/** A process on a machine of that name, on a store that several machines share. */
async function on(machine: string, store: Store, tools = [testTool('look', () => `seen on ${machine}`)]) {
  vi.stubEnv('RONDO_MACHINE', machine);
  const rondo = await createRondo(testingAgent({ store: { ...store, isShared: true }, tools }));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rondo.close();
  });
  return rondo;
}

test('[C154] [O4] a session whose machine died continues in a folder here and learns which files are missing', async () => {
  const store = createMemoryStore();
  const running = Promise.withResolvers<void>();
  const hangs = testTool('look', async () => {
    running.resolve();
    return await new Promise<string>(() => undefined);
  });
  const laptop = await on('laptop', store, [hangs]);
  const session = await laptop.sessions.create({ cwd: '/home/ann/shop' });
  await session.send({ type: 'chat', text: 'call look {}\nsay done' });
  await running.promise;
  store.crash();
  const tower = await on('tower', store.another());
  const here = await tower.sessions.open(session.id);
  expect((await here.status()).goneMachine).toBe('laptop');
  await tower.sessions.continue(session.id, { cwd: '/srv' });
  const status = await here.status();
  expect([status.cwd, status.machine, status.goneMachine]).toEqual(['/srv', 'tower', undefined]);
  const { events } = await here.events({ after: 0 });
  const types = events.map(({ event }) => event.type);
  expect(types.indexOf('place-moved')).toBeLessThan(types.indexOf('session-recovered'));
  expect(events.flatMap(({ event }) => (event.type === 'place-moved' ? [event] : []))).toEqual([
    {
      type: 'place-moved',
      cwd: '/srv',
      machine: 'tower',
      missing: ['all files of /home/ann/shop on laptop'],
    },
  ]);
  expect((await here.chat('say here')).text).toBe('here');
  await expect(tower.sessions.continue(session.id, { cwd: '/srv' })).rejects.toThrow("isn't on another machine");
});
