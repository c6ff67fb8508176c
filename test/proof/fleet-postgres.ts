/** One PostgreSQL under a fleet. Each node reaches it through a proxy. */
import { rm } from 'node:fs/promises';

import { Client } from 'pg';

import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { findInstallation } from '../fixtures/postgres/installation.ts';
import { startProxy, type Proxy } from '../fixtures/postgres/proxy.ts';
import { noServer, startServer } from '../fixtures/postgres/server.ts';
import { makeSynchronous, promote, startStandby, testsOwn } from '../fixtures/postgres/standby.ts';
import type { FleetEngine, FleetStore, StoreFault, StoreLine } from './fleet-store.ts';

export const postgresFleet: FleetEngine = {
  name: 'PostgreSQL',
  missing: findInstallation() === undefined ? noServer : undefined,
  start,
  faults: ({ isLong }) => ({
    'database connections terminated': 8,
    'database connections fell silent': isLong ? 3 : 0,
    'database killed': 3,
    'database restarted': 3,
    'synchronous standby promoted': isLong ? 2 : 0,
  }),
  shares: { 'synchronous standby promoted': 0.4 },
};

/** Seconds: the least, so that faults that outlast it are many. */
const lease = 8;

async function start(): Promise<FleetStore> {
  await using made = new AsyncDisposableStack();
  let database = made.use(await startServer());
  const lines: Proxy[] = [];
  const owned = made.move();

  /** Kills the primary and promotes a synchronous standby, which all nodes then reach. */
  async function replace(): Promise<void> {
    const primary = database;
    const standby = owned.use(await startStandby(primary));
    await makeSynchronous(primary);
    await primary.stop('crash');
    await promote(standby);
    for (const line of lines) line.target(standby.port);
    database = standby;
    await rm(primary.data, { recursive: true, force: true });
  }

  return {
    lease,
    async line(): Promise<StoreLine> {
      const proxy = await startProxy(database.port);
      lines.push(proxy);
      const address = new URL(database.address);
      address.port = String(proxy.port);
      address.searchParams.set('lease', String(lease));
      return {
        address: address.href,
        get weather() {
          return proxy.weather;
        },
        set weather(next) {
          proxy.weather = next;
        },
        [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
      };
    },
    open: () => openPostgresStore({ address: database.address }),
    async inject(fault: StoreFault): Promise<boolean> {
      switch (fault) {
        case 'database connections terminated':
          return (await terminateConnections(database.address)) > 0;
        case 'database connections fell silent':
          for (const line of lines) line.strand();
          return true;
        case 'database killed':
          await database.restart('crash');
          return true;
        case 'database restarted':
          await database.restart('fast');
          return true;
        case 'synchronous standby promoted':
          await replace();
          return true;
        case 'NATS server killed':
        case 'NATS leader killed':
        case 'NATS server stopped':
        case 'NATS server restarted':
          return false;
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function terminateConnections(address: string): Promise<number> {
  const client = new Client(address);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND application_name <> '${testsOwn}' AND pid <> pg_backend_pid()`);
    return rowCount ?? 0;
  } catch {
    // The database is being restarted.
    return 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}
