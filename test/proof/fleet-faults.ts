/** What can happen to a fleet. Each fault is over when its promise resolves; those of different nodes overlap. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import type { SeededRandom } from '../../src/testing/simulation-random.ts';
import { testsOwn } from '../fixtures/postgres/standby.ts';
import { fleetLease, type Fleet, type FleetNode } from './fleet.ts';

export type FleetFault =
  | 'node killed'
  | 'node stopped'
  | 'node drained and restarted'
  | 'node clock set'
  | 'node cut from the database'
  | 'answers of the database lost'
  | 'database silent'
  | 'clients and nodes cut from a node'
  | 'database connections terminated'
  | 'database killed'
  | 'database restarted'
  | 'node stopped past its lease'
  | 'node cut from the database past its lease'
  | 'synchronous standby promoted';

/** Relative frequencies. Faults that outlast the lease make another node take over from a living one. */
export function weightsFor({ isLong }: { readonly isLong: boolean }): Readonly<Record<FleetFault, number>> {
  return {
    'node killed': 6,
    'node stopped': 7,
    'node drained and restarted': 6,
    'node clock set': 6,
    'node cut from the database': 9,
    'answers of the database lost': 11,
    'database silent': 7,
    'clients and nodes cut from a node': 12,
    'database connections terminated': 8,
    'database killed': 3,
    'database restarted': 3,
    'node stopped past its lease': isLong ? 6 : 0,
    'node cut from the database past its lease': isLong ? 6 : 0,
    'synchronous standby promoted': isLong ? 2 : 0,
  };
}

const pastLeaseMs = fleetLease * 1000 + 2000;
const hour = 3_600_000;

/** What a fault occupies: while it lasts, nothing else happens to it. */
export function targetOf(kind: FleetFault): 'node' | 'database' | 'nothing' {
  switch (kind) {
    case 'database killed':
    case 'database restarted':
    case 'synchronous standby promoted':
      return 'database';
    case 'node clock set':
    case 'clients and nodes cut from a node':
    case 'database connections terminated':
      return 'nothing';
    case 'node killed':
    case 'node stopped':
    case 'node drained and restarted':
    case 'node cut from the database':
    case 'answers of the database lost':
    case 'database silent':
    case 'node stopped past its lease':
    case 'node cut from the database past its lease':
      return 'node';
  }
}

/** True if the fault was injected, not merely attempted. */
export async function inject(
  kind: FleetFault,
  { fleet, node, random }: { readonly fleet: Fleet; readonly node: FleetNode; readonly random: SeededRandom },
): Promise<boolean> {
  const { served, database, network, clock } = node;
  const during = async (weather: typeof database.weather, ms: number) => {
    database.weather = weather;
    await sleep(ms);
    database.weather = 'fair';
    return true;
  };
  switch (kind) {
    case 'node killed': {
      const pause = random.whole(800);
      await served.kill();
      await sleep(pause);
      await fleet.restart(node);
      return true;
    }
    case 'node stopped':
      await served.suspend(50 + random.whole(1500));
      return true;
    case 'node stopped past its lease':
      await served.suspend(pastLeaseMs + random.whole(3000));
      return true;
    case 'node drained and restarted': {
      const code = await served.terminate();
      if (code !== 0) throw new Error(`Drained node ${node.name} ended with ${code}: ${served.log()}`);
      await fleet.restart(node);
      return true;
    }
    case 'node clock set':
      clock.set(random.pick([-hour, 0, hour]) + random.whole(60_000));
      return true;
    case 'node cut from the database':
      return during('cut', random.whole(1500));
    case 'node cut from the database past its lease':
      return during(random.pick(['cut', 'silent']), pastLeaseMs + random.whole(3000));
    case 'answers of the database lost':
      return during('answers-lost', random.whole(400));
    case 'database silent':
      return during('silent', random.whole(1500));
    case 'clients and nodes cut from a node':
      return network.cut() > 0;
    case 'database connections terminated':
      return (await terminateConnections(fleet)) > 0;
    case 'database killed':
      await fleet.database.restart('crash');
      return true;
    case 'database restarted':
      await fleet.database.restart('fast');
      return true;
    case 'synchronous standby promoted':
      await fleet.promote();
      return true;
  }
}

async function terminateConnections({ database }: Fleet): Promise<number> {
  const client = new Client(database.address);
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
