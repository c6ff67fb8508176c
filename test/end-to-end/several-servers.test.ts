// Several servers of one user on one store: each has its own entry, and commands find a running one.
import { expect, test } from 'vitest';

import { createCliPlace } from './cli-process.ts';

test('a second server neither overwrites nor deletes the entry of the first', async () => {
  await using place = await createCliPlace();
  const serve = async () => {
    const server = place.start(['serve', '--port', '0']);
    await server.saw('#token=');
    return server;
  };
  const found = async () => {
    const { code, out } = await place.rondo('token', 'link', '--json');
    return code === 0 ? new URL((JSON.parse(out) as { url: string }).url).port : `exit ${code}`;
  };
  const first = await serve();
  const firstPort = await found();
  const second = await serve();
  const secondPort = await found();
  expect(new Set([firstPort, secondPort]).size).toBe(2);

  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
  expect(await found()).toBe(firstPort);

  // A killed server leaves its entry behind, which commands ignore.
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await found()).toBe('exit 2');
  await serve();
  expect(await found()).toMatch(/^\d+$/);
});
