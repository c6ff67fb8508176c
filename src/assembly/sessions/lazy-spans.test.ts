import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, test } from 'vitest';

import { createRondo } from '../../rondo.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

/** Runs the work and returns the files that were read synchronously. */
async function filesReadDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const files: string[] = [];
  const { readFileSync } = fs;
  fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
    files.push(String(args[0]));
    return readFileSync(...args);
  }) as typeof readFileSync;
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    fs.readFileSync = readFileSync;
    syncBuiltinESMExports();
  }
  return files;
}

test('[C26] [P10] a turn without a telemetry SDK reads no file', async () => {
  await using rondo = await createRondo(testingAgent());
  const session = await rondo.sessions.create();
  await session.chat('say first');
  expect(await filesReadDuring(() => session.chat('say second'))).toEqual([]);
});
