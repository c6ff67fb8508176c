/** What can happen to a fleet. Each fault is over when its promise resolves; those of different nodes overlap. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { SeededRandom } from '../../src/testing/simulation-random.ts';
import type { FleetEngine, StoreFault } from './fleet-store.ts';
import type { Fleet, FleetNode } from './fleet.ts';

type NodeFault =
  | 'node killed'
  | 'node stopped'
  | 'node drained and restarted'
  | 'node clock set'
  | 'node cut from the store'
  | 'answers of the store lost'
  | 'store silent'
  | 'clients and nodes cut from a node'
  | 'node stopped past its lease'
  | 'node cut from the store past its lease';

export type FleetFault = NodeFault | StoreFault;

/** Relative frequencies. Faults that outlast the lease make another node take over from a living one. */
export function weightsFor(
  engine: FleetEngine,
  length: { readonly isLong: boolean },
): Readonly<Partial<Record<FleetFault, number>>> {
  return {
    'node killed': 6,
    'node stopped': 7,
    'node drained and restarted': 6,
    'node clock set': 6,
    'node cut from the store': 9,
    'answers of the store lost': 11,
    'store silent': 7,
    'clients and nodes cut from a node': 12,
    'node stopped past its lease': length.isLong ? 6 : 0,
    'node cut from the store past its lease': length.isLong ? 6 : 0,
    ...engine.faults(length),
  };
}

const hour = 3_600_000;

/** What a fault occupies: while it lasts, nothing else happens to it. */
export function targetOf(kind: FleetFault): 'node' | 'store' | 'nothing' {
  switch (kind) {
    case 'database killed':
    case 'database restarted':
    case 'synchronous standby promoted':
    case 'NATS server killed':
    case 'NATS leader killed':
    case 'NATS server stopped':
    case 'NATS server restarted':
      return 'store';
    case 'node clock set':
    case 'clients and nodes cut from a node':
    case 'database connections terminated':
    case 'database connections fell silent':
      return 'nothing';
    case 'node killed':
    case 'node stopped':
    case 'node drained and restarted':
    case 'node cut from the store':
    case 'answers of the store lost':
    case 'store silent':
    case 'node stopped past its lease':
    case 'node cut from the store past its lease':
      return 'node';
  }
}

/** True if the fault was injected, not merely attempted. */
export async function inject(
  kind: FleetFault,
  { fleet, node, random }: { readonly fleet: Fleet; readonly node: FleetNode; readonly random: SeededRandom },
): Promise<boolean> {
  const { served, store, network, clock } = node;
  const pastLeaseMs = fleet.store.lease * 1000 + 2000;
  const during = async (weather: typeof store.weather, ms: number) => {
    store.weather = weather;
    await sleep(ms);
    store.weather = 'fair';
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
      const before = served.log().length;
      const code = await served.terminate();
      // The store may be away for so long that the node can't release its sessions. Others take them over.
      const isCutOff = code === 1 && served.log().slice(before).includes("can't release sessions");
      if (code !== 0 && !isCutOff)
        throw new Error(`Drained node ${node.name} ended with ${code}: ${served.log()}`);
      await fleet.restart(node);
      return true;
    }
    case 'node clock set':
      clock.set(random.pick([-hour, 0, hour]) + random.whole(60_000));
      return true;
    case 'node cut from the store':
      return during('cut', random.whole(1500));
    case 'node cut from the store past its lease':
      return during(random.pick(['cut', 'silent']), pastLeaseMs + random.whole(3000));
    case 'answers of the store lost':
      return during('answers-lost', random.whole(400));
    case 'store silent':
      return during('silent', random.whole(1500));
    case 'clients and nodes cut from a node':
      return network.cut() > 0;
    case 'database connections terminated':
    case 'database connections fell silent':
    case 'database killed':
    case 'database restarted':
    case 'synchronous standby promoted':
    case 'NATS server killed':
    case 'NATS leader killed':
    case 'NATS server stopped':
    case 'NATS server restarted':
      return fleet.store.inject(kind, random);
  }
}
