import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createRondo } from '../../src/rondo.ts';
import { testingAgent } from '../../src/testing/testing-agent.ts';

test('[P1] [C62] jobs of a process that was killed are resumed by the next: the running one once more, the queued one', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-jobs-'));
  const store = `sqlite:${path.join(folder, 'store.db')}`;
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'workers-child.ts'), store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [hung = '', queued = ''] = line.toString().trim().split(' ');
  child.kill('SIGKILL');
  await once(child, 'exit');
  {
    await using rondo = await createRondo(testingAgent({ store }));
    await rondo.adopt();
    const job = await rondo.jobs.get(hung);
    await waitFor(
      async () => (await rondo.jobs.result(hung))?.isDone === false && (await attemptOf(rondo, hung)) === 2,
    );
    await job?.cancel('enough');
    expect((await job?.wait())?.ending).toEqual({ type: 'cancelled', reason: 'enough' });
    expect((await (await rondo.jobs.get(queued))?.wait())?.text).toBe('after');
    const [worker] = await rondo.workers.list();
    const session = await rondo.sessions.open(worker?.session ?? '');
    const { events } = await session.events({ after: 0 });
    expect(events.filter(({ event }) => event.type === 'prompt-received').length).toBe(3);
  }
  await rm(folder, { recursive: true });
});

async function attemptOf(rondo: Awaited<ReturnType<typeof createRondo>>, id: string): Promise<number | undefined> {
  return (await rondo.jobs.list()).find((row) => row.id === id)?.attempt;
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  for (let time = 0; time < 400; time += 1) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It did not come about within ten seconds.');
}
