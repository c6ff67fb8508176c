// Set-up of test files with processes: a test that runs into its time limit never reaches its `await using`, so what
// its file started and left running is ended here, when the file is over or its worker ends.
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll } from 'vitest';

import { descendantsOf, endDescendants } from './descendants.ts';

/** What is just ending may do so by itself. */
const graceMs = 1000;

afterAll(async () => {
  for (let waited = 0; waited < graceMs && descendantsOf(process.pid).length > 0; waited += 50) await sleep(50);
  const left = endDescendants(process.pid);
  if (left.length > 0) process.stderr.write(`Left running by this file and ended now: ${left.join(', ')}\n`);
});
process.once('exit', () => endDescendants(process.pid));
