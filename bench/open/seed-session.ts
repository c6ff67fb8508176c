/** Sessions of many turns: of Rondo, of the hand-written floor and of other runtimes. */
import path from 'node:path';

import { foldFloor, floorTurn, newFloorState } from '../workload/floor-event.ts';
import { openFloorStore } from '../workload/floor-store.ts';
import { seedPeer, type OpenPeerName } from './open-peer.ts';
import { seededSession, seedRondo } from './seed-rondo.ts';

/**
 * `closed`: the session was closed and its snapshot is new. `killed`: its process was killed at the worst moment,
 * just before the next snapshot.
 */
export type Seed = 'floor' | 'rondo-closed' | 'rondo-killed' | OpenPeerName;

export async function seedSession(given: {
  readonly seed: Seed;
  readonly turns: number;
  readonly folder: string;
}): Promise<{ readonly events: number }> {
  if (given.seed === 'pi-sqlite' || given.seed === 'langgraph-sqlite' || given.seed === 'mastra-libsql') {
    await seedPeer(given.seed, given.turns, given.folder);
    return { events: given.turns };
  }
  if (given.seed === 'floor') return seedFloor(given.turns, given.folder);
  return await seedRondo({ ...given, isKilled: given.seed === 'rondo-killed' });
}

function seedFloor(turns: number, folder: string): { readonly events: number } {
  using store = openFloorStore(path.join(folder, 'floor.db'), 'clustered');
  const state = newFloorState();
  store.begin();
  for (let turn = 1; turn <= turns; turn += 1) {
    for (const event of floorTurn(`call_${turn.toString(36)}`)) {
      state.seq += 1;
      store.append(
        seededSession,
        state.seq,
        JSON.stringify({ ...event, seq: state.seq, session: seededSession, at: turn }),
      );
      foldFloor(state, event);
    }
  }
  store.commit();
  store.database.exec('CREATE TABLE snapshots (session TEXT PRIMARY KEY, body TEXT)');
  store.database.prepare('INSERT INTO snapshots VALUES (?, ?)').run(seededSession, JSON.stringify(state));
  return { events: state.seq };
}
