/** Forks of a session that works on a repository, in one process on real git. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { testingAgent } from '../../src/testing/testing-agent.ts';
import { rondoOfTest } from '../../src/testing/rondo-of-test.ts';
import { testTool } from '../../src/testing/test-tool.ts';
import { branchesOf, createBareRemote, git } from '../fixtures/bare-remote.ts';

test('[C154][P12] a fork has its own clone and branch, with the files of its origin', async () => {
  const { root, remote } = createBareRemote();
  const put = testTool('put', (args, { cwd }) => {
    writeFileSync(path.join(cwd, (args as { name: string }).name), 'written\n');
    return 'done';
  });
  const rondo = await rondoOfTest(testingAgent({ places: { home: path.join(root, 'home') }, tools: [put] }));
  const session = await rondo.sessions.create({ repository: { url: remote, name: 'list' } });
  await session.chat('call put {"name":"one.txt"}');
  await rondo.filesSettled(session.id);
  const fork = await session.fork();
  await fork.chat('call put {"name":"two.txt"}');
  await rondo.filesSettled(fork.id);
  const [origin, own] = await Promise.all([session.status(), fork.status()]);
  expect(own.cwd).toBe(path.join(root, 'home/places', fork.id, 'remote'));
  expect({
    origin: existsSync(path.join(origin.cwd, 'two.txt')),
    fork: [readFileSync(path.join(own.cwd, 'one.txt'), 'utf8'), git(own.cwd, 'symbolic-ref', '--short', 'HEAD')],
    branches: branchesOf(remote).toSorted(),
    pushed: git(remote, 'ls-tree', '--name-only', `rondo/list-${fork.id.slice(-6)}`, 'one.txt', 'two.txt'),
  }).toEqual({
    origin: false,
    fork: ['written\n', `rondo/list-${fork.id.slice(-6)}`],
    branches: ['main', `rondo/list-${fork.id.slice(-6)}`, `rondo/list-${session.id.slice(-6)}`].toSorted(),
    pushed: 'one.txt\ntwo.txt',
  });
  const { events } = await fork.events({ after: 0 });
  expect(events.flatMap(({ event }) => (event.type === 'place-moved' ? [event.isFork] : []))).toEqual([true]);
});
