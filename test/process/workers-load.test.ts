import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

import { expect, test } from 'vitest';

import { createRondo } from '../../src/rondo.ts';
import { testingAgent } from '../../src/testing/testing-agent.ts';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

test('[C79] [P10] 1,000 jobs on SQLite under a limit of 50 all end, and memory stays flat', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-load-'));
  {
    await using rondo = await createRondo(
      testingAgent({
        store: `sqlite:${path.join(folder, 'store.db')}`,
        workers: { limits: { running: 50, perProvider: 50 }, queued: 1000, queuedPerPriority: 1000 },
      }),
    );
    const workers = await Promise.all(Array.from({ length: 50 }, (_, one) => rondo.workers.create(`w${one}`)));
    const batch = async (count: number) => {
      const results = await Promise.all(
        Array.from({ length: count }, async (_, one) => (await workers[one % 50]?.run(`say ${one}`))?.wait()),
      );
      expect(results.filter((result) => result?.ending.type === 'completed').length).toBe(count);
    };
    await batch(200);
    const before = heapInUse();
    await batch(1000);
    expect(heapInUse() - before).toBeLessThan(16_000_000);
  }
  await rm(folder, { recursive: true });
});

function heapInUse(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
