import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { request, record } from '../../testing/contracts/journal-samples.ts';
import { findOrphans } from './orphans.ts';

const session = 'ses_orphans' as SessionId;

/** A process with the marker of a session's child. */
async function childOf(epoch: number): Promise<number> {
  const child = spawn('sleep', ['60'], {
    env: { PATH: process.env['PATH'], RONDO_SESSION: session, RONDO_EPOCH: String(epoch) },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  await once(child, 'spawn');
  return child.pid ?? 0;
}

test.skipIf(process.platform !== 'linux')(
  '[O6] children of a living owner are no orphans; those of earlier owners are, and all once the owner is gone',
  async () => {
    const first = createMemoryStore();
    await first.journal.append(request(0, [record('a')], { session }));
    const old = await childOf(1);
    first.crash();
    const owner = first.another();
    await owner.leases.claim(session);
    const present = await childOf(2);
    const here = owner.another();
    expect(await findOrphans(here)).toEqual([{ session, below: 2, pids: [old] }]);
    owner.crash();
    const [all] = await findOrphans(here);
    expect([all?.below, all?.pids.toSorted((a, b) => a - b)]).toEqual([
      3,
      [old, present].toSorted((a, b) => a - b),
    ]);
  },
);
