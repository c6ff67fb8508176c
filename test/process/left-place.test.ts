/** A session on a repository that changes its owner while a tool runs, on real git. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createMemoryStore } from '../../src/journal/memory-store.ts';
import { rondoOfTest } from '../../src/testing/rondo-of-test.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { testingAgent } from '../../src/testing/testing-agent.ts';
import { createBareRemote } from '../fixtures/bare-remote.ts';

test('[C154] [O7] files are saved after what wrote them has ended, and the next owner has them all', async () => {
  const { root, remote } = createBareRemote();
  const store = createMemoryStore();
  const started = Promise.withResolvers<void>();
  const write = testTool(
    'write',
    async (_args, { cwd, signal }) => {
      writeFileSync(path.join(cwd, 'early.txt'), 'early\n');
      started.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      // Killing takes time.
      await new Promise((resolve) => setTimeout(resolve, 300));
      writeFileSync(path.join(cwd, 'late.txt'), 'late\n');
      return { type: 'cancelled' };
    },
    { repeat: 'never' },
  );
  const on = (name: string, seat = store) =>
    rondoOfTest(testingAgent({ store: seat, places: { home: path.join(root, name) }, tools: [write] }));
  const owner = await on('one');
  const session = await owner.sessions.create({ repository: { url: remote, name: 'list' } });
  session.chat('call write {}\nsay I wrote').catch(() => undefined);
  await started.promise;
  const seat = store.another();
  const next = await on('two', seat);
  const released = new Promise<void>((resolve) => void seat.leases.onReleased(() => resolve()));
  await seat.leases.requestHandOver(session.id, { withinMs: 0 });
  await released;
  const taken = await next.sessions.open(session.id);
  expect(await taken.wait()).toMatchObject({ outcome: 'completed', text: 'I wrote' });
  const { cwd } = await taken.status();
  expect(cwd.startsWith(path.join(root, 'two'))).toBe(true);
  const read = (name: string) => existsSync(path.join(cwd, name)) && readFileSync(path.join(cwd, name), 'utf8');
  expect(['early.txt', 'late.txt'].map(read)).toEqual(['early\n', 'late\n']);
});
