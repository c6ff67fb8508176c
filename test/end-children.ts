// Set-up of test files with processes. A test that hits its time limit never reaches its `await using`, so
// processes that the file left running are ended here, when the file or its worker ends.
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll } from 'vitest';

import { descendantsOf, endDescendants } from './descendants.ts';

/** Lets processes that are already ending exit. */
const graceMs = 1000;

afterAll(async () => {
  for (let waited = 0; waited < graceMs && descendantsOf(process.pid).length > 0; waited += 50) await sleep(50);
  const left = endDescendants(process.pid);
  if (left.length > 0) process.stderr.write(`Left running by this file and ended now: ${left.join(', ')}\n`);
});
process.once('exit', () => endDescendants(process.pid));
