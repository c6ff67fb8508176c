// Hosted agents with real processes: stopped at any instant, nothing is left running.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, expect, test } from 'vitest';

import { createCleaner } from '../../src/host/cleaner.ts';
import { createHostedAgents, type Spawner } from '../../src/host/host-agent.ts';
import { createStoredHosting } from '../../src/host/stored-hosting.ts';
import { createHostedSessions } from '../../src/host/hosted-sessions.ts';
import type { HostedRows } from '../../src/ports/hosted-rows.ts';
import { openSqliteStore, type SqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { createSystemIds } from '../../src/runtime/system-ids.ts';

const folders: string[] = [];
const stores: SqliteStore[] = [];
const alive = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of alive) child.kill('SIGKILL');
  await Promise.all(stores.splice(0).map((store) => store[Symbol.asyncDispose]()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const awaits = ['before', 'leased', 'started', 'greeted', 'never'] as const;
type Await = (typeof awaits)[number];

async function hostIn(rows: HostedRows, onAwait: (at: Await, session: SessionId) => Promise<void>) {
  const leases = new Set<SessionId>();
  const clock = createSystemClock();
  const exited = (child: ChildProcess) =>
    new Promise<void>((resolve) =>
      child.exitCode === null && child.signalCode === null ? child.once('close', () => resolve()) : resolve(),
    );
  const end = async (child: ChildProcess) => {
    child.kill('SIGTERM');
    await exited(child);
  };
  const spawner: Spawner<ChildProcess> = {
    async spawn(session, signal) {
      await onAwait('before', session);
      signal.throwIfAborted();
      leases.add(session);
      await onAwait('leased', session);
      signal.throwIfAborted();
      const child = spawn('sleep', ['600'], { stdio: 'ignore' });
      alive.add(child);
      child.once('close', () => alive.delete(child));
      try {
        await onAwait('started', session);
        signal.throwIfAborted();
        await onAwait('greeted', session);
      } catch (error) {
        await end(child);
        throw error;
      }
      return child;
    },
    end,
  };
  const hosted = await createHostedSessions<ChildProcess>({
    store: createStoredHosting(rows, { self: 'a host', isDead: () => true }),
    ids: createSystemIds(),
    clock,
    logger: { log: () => undefined },
    cleaner: createCleaner<ChildProcess>({
      clock,
      onProblem: () => undefined,
      agentTimeoutMs: 200,
      steps: {
        stopIntake: () => undefined,
        agentsOf: (_session, agent) => (agent === undefined ? [] : [agent]),
        endAgent: end,
        async killAgent(child) {
          child.kill('SIGKILL');
          await exited(child);
        },
        closePipes: () => undefined,
        closeSockets: () => undefined,
        releaseWorktree: ({ id }) => void leases.delete(id),
        closeStore: () => undefined,
      },
    }),
  });
  return { hosted, leases, agents: createHostedAgents(hosted, spawner) };
}

async function openRows(file?: string): Promise<{ readonly file: string; readonly rows: HostedRows }> {
  const folder = file === undefined ? await mkdtemp(path.join(os.tmpdir(), 'rondo-host-')) : path.dirname(file);
  if (file === undefined) folders.push(folder);
  const place = path.join(folder, 'store.db');
  const store = await openSqliteStore({ path: place });
  stores.push(store);
  return { file: place, rows: store.hosted };
}

test.each(awaits)('[C92] stopped at "%s" of its spawning, an agent leaves no process and no lease', async (at) => {
  let stopped: Promise<unknown> | undefined;
  const host = await hostIn((await openRows()).rows, async (here, session) => {
    if (here === at) stopped = host.agents.terminate(session, 'stopped');
    await new Promise((resolve) => setTimeout(resolve, 5));
  });
  const started = await host.agents.start({ agent: 'sleeper', role: 'main' });
  const [session] = host.hosted.list();
  if (at === 'never' && session !== undefined) stopped = host.agents.terminate(session.id, 'stopped');
  await stopped;
  expect({
    up: started.type === 'done',
    left: alive.size,
    leases: host.leases.size,
    states: host.hosted.list().map(({ state }) => state),
  }).toEqual({
    up: at === 'never',
    left: 0,
    leases: 0,
    states: ['cleaned'],
  });
  expect(session === undefined ? undefined : host.hosted.agentOf(session.id)).toBeUndefined();
});

test('[C83] an agent that cannot be started is cleaned up, and the others continue', async () => {
  let fails = true;
  const host = await hostIn((await openRows()).rows, async (here) => {
    if (here === 'started' && fails) throw new Error('it fell over');
  });
  const bad = await host.agents.start({ agent: 'sleeper', role: 'a' });
  fails = false;
  const good = await host.agents.start({ agent: 'sleeper', role: 'b' });
  expect(bad).toMatchObject({ type: 'spawn-failed', message: 'it fell over' });
  expect([good.type, alive.size, host.leases.size]).toEqual(['done', 1, 1]);
});

test('a host that starts again cleans what the last one left', async () => {
  const { file, rows } = await openRows();
  const first = await hostIn(rows, () => Promise.resolve());
  const started = await first.agents.start({ agent: 'sleeper', role: 'main' });
  const second = await hostIn((await openRows(file)).rows, () => Promise.resolve());
  const id = started.type === 'done' ? started.session.id : '';
  expect(await second.agents.cleanLeftovers()).toEqual([id]);
  const third = await hostIn((await openRows(file)).rows, () => Promise.resolve());
  expect(third.hosted.list()).toEqual([]);
});
