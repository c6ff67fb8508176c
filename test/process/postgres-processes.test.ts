import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, onTestFinished, test } from 'vitest';

import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { first, record, recorded, request } from '../../src/testing/contracts/journal-samples.ts';
import { startProxy } from '../fixtures/postgres/proxy.ts';
import { noServer } from '../fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';
import { serveRondo } from '../proof/served-rondo.ts';

const leaseMs = 2000;

/** Removed once the test's stores, which listen there, are closed. */
async function createFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-owners-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Lines that the child wrote so far. */
function startOwner(address: string, folder: string): { readonly child: ChildProcess; readonly lines: string[] } {
  const script = path.join(import.meta.dirname, 'postgres-owner-child.ts');
  const child = spawn(process.execPath, [script, address, folder, String(leaseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  if (child.stdout !== null) createInterface(child.stdout).on('line', (line) => lines.push(line));
  return { child, lines };
}

describe.skipIf(!hasServer())(`[C151] owners in processes ${hasServer() ? '' : noServer}`, () => {
  test('[P1][P4] what a killed owner acknowledged is there, and the next process takes over at once', async () => {
    const address = await freshSchema();
    const folder = await createFolder();
    const { child, lines } = startOwner(address, folder);
    await expect.poll(() => lines.length).toBeGreaterThan(20);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await using store = await openPostgresStore({ address, socketFolder: folder, leaseMs });
    const answer = await store.leases.claim(first);
    expect(answer).toMatchObject({ type: 'claimed', claim: { epoch: 2, isUnclean: true, fences: 1 } });
    const { events, last } = await store.journal.read(first, { after: 0 });
    expect(last).toBeGreaterThanOrEqual(Number(lines.at(-1)));
    expect(last).toBeLessThanOrEqual(Number(lines.at(-1)) + 1);
    expect(events).toMatchObject(
      Array.from({ length: last }, (_, index) => ({ seq: index + 1, event: { name: `event ${index + 1}` } })),
    );
  });

  test('[O5][P4] an owner stopped in the middle of its work blocks nobody, and learns on waking that it is fenced', async () => {
    const address = await freshSchema();
    const folder = await createFolder();
    const { child, lines } = startOwner(address, folder);
    await expect.poll(() => lines.length).toBeGreaterThan(20);
    child.kill('SIGSTOP');
    await using store = await openPostgresStore({ address, socketFolder: folder, leaseMs });
    // It isn't dead, so its lease decides.
    expect(await store.leases.claim(first)).toMatchObject({ type: 'held' });
    await expect.poll(async () => (await store.leases.claim(first)).type, { timeout: 10_000 }).toBe('claimed');
    const seq = (await store.journal.head(first))?.seq ?? 0;
    child.kill('SIGCONT');
    await once(child, 'exit');
    expect(lines.filter((line) => line.startsWith('{'))).toEqual(['{"type":"fenced","epoch":2}']);
    expect((await store.journal.head(first))?.seq).toBe(seq);
  });

  test('[O7] a server that gets a stop signal while its store is silent still ends', async () => {
    const address = new URL(await freshSchema());
    await using proxy = await startProxy(Number(address.port));
    address.port = String(proxy.port);
    await using served = await serveRondo({ options: ['--store', address.href, '--drain', '0'] });
    const { session } = await served.post<{ session: string }>('/sessions', { agent: 'testing' });
    await served.post(`/sessions/${session}/inputs`, { type: 'chat', text: 'say hello' });
    proxy.weather = 'silent';
    const began = performance.now();
    expect(await served.terminate()).toBe(1);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(served.log()).toContain('other servers take them over after the lease');
  }, 60_000);

  test('[P4] two processes that write at once to many sessions leave each session with one history', async () => {
    const address = await freshSchema();
    const folder = await createFolder();
    await using one = await openPostgresStore({ address, socketFolder: folder, leaseMs });
    await using two = await openPostgresStore({ address, socketFolder: folder, leaseMs });
    const sessions = Array.from({ length: 40 }, (_, index) => `ses_${index}` as typeof first);
    const won = await Promise.all(
      sessions.map(async (session) => {
        const answers = await Promise.all(
          [one, two].map(({ journal, leases }, index) =>
            journal.append(
              request(0, [record(`by ${index}`)], { session, position: leases.create(session).position }),
            ),
          ),
        );
        expect(answers.filter(({ type }) => type === 'appended')).toHaveLength(1);
        return answers.findIndex(({ type }) => type === 'appended');
      }),
    );
    for (const [index, session] of sessions.entries()) {
      expect(await one.journal.read(session, { after: 0 })).toEqual({
        events: recorded(1, `by ${won[index]}`),
        last: 1,
      });
    }
  });
});
