import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import { descendantsOf, endDescendants } from '../descendants.ts';

test('what a test left running is found and ended, with all that came out of it', async () => {
  const child = spawn('sh', ['-c', 'sleep 300 & echo started; wait'], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  const before = descendantsOf(process.pid);
  expect(before).toContain(child.pid);
  expect(before.length).toBe(2);
  expect(endDescendants(process.pid)).toEqual(before);
  await once(child, 'close');
  await expect.poll(() => descendantsOf(process.pid)).toEqual([]);
});
