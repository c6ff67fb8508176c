/** Opening a seeded session in a fresh process. Modules are loaded before the clock starts. */
import { measureFloorOpening } from './open-floor.ts';
import { measurePeerOpening, type OpenPeerName } from './open-peer.ts';
import { measureRondoOpening } from './open-rondo.ts';

/**
 * `fresh`: the clock starts before the store is opened, as for the floors. `running`: in a process whose store and
 * writer thread already run, like a server's.
 */
export type Opener = 'floor-fold' | 'floor-snapshot' | 'rondo-fresh' | 'rondo-running' | OpenPeerName;

/** Ready to take a prompt; the first model call issued with the whole context; the newest page of the transcript. */
export type Reached = 'ready' | 'model-call' | 'first-screen';

export interface Opening {
  readonly ms: number;
  readonly rssMb: number;
}

export interface OpeningTask {
  readonly opener: Opener;
  readonly until: Reached;
  readonly turns: number;
  readonly folder: string;
}

export async function measureOpening(task: OpeningTask): Promise<Opening> {
  const ms = await measure(task);
  return { ms, rssMb: process.memoryUsage().rss / 2 ** 20 };
}

async function measure(task: OpeningTask): Promise<number> {
  switch (task.opener) {
    case 'floor-fold':
    case 'floor-snapshot':
      return measureFloorOpening(task);
    case 'rondo-fresh':
    case 'rondo-running':
      return measureRondoOpening(task);
    case 'pi-sqlite':
    case 'langgraph-sqlite':
    case 'mastra-libsql':
      return measurePeerOpening(task.opener, task);
  }
}
