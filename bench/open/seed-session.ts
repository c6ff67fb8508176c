/** Sessions of many turns, written fast: through the journal port for Rondo, by hand for the floor. */
import path from 'node:path';

import type { NewRecord } from '../../src/ports/journal.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { Store } from '../../src/ports/store.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import type { State } from '../../src/kernel/state.ts';
import { stateVersion } from '../../src/session/read/load-session.ts';
import { snapshotInterval } from '../../src/session/live/snapshot-keeper.ts';
import { directoryEntryOf } from '../../src/views/directory.ts';
import { foldFloor, floorTurn, newFloorState } from '../workload/floor-event.ts';
import { openFloorStore } from '../workload/floor-store.ts';
import { createKernelTurns } from '../workload/kernel-turns.ts';
import { seedPeer, type OpenPeerName } from './open-peer.ts';

export const seededSession = 'ses_bench00000000000000000000' as SessionId;

/**
 * `closed`: the session was closed and its snapshot is new. `killed`: its process was killed at the worst moment,
 * just before the next snapshot.
 */
export type Seed = 'floor' | 'rondo-closed' | 'rondo-killed' | OpenPeerName;

const stepsInAppend = 2000;

export async function seedSession(given: {
  readonly seed: Seed;
  readonly turns: number;
  readonly folder: string;
  /** The prompt of a turn, if it differs from the standard one. */
  readonly promptOf?: (turn: number) => string | undefined;
}): Promise<{ readonly events: number }> {
  if (given.seed === 'pi-sqlite' || given.seed === 'langgraph-sqlite' || given.seed === 'mastra-libsql') {
    await seedPeer(given.seed, given.turns, given.folder);
    return { events: given.turns };
  }
  if (given.seed === 'floor') return seedFloor(given.turns, given.folder);
  await using store = await openSqliteStore({ path: path.join(given.folder, 'rondo.db') });
  return await seedRondo(store, { ...given, isKilled: given.seed === 'rondo-killed' });
}

interface RondoSeed {
  readonly turns: number;
  readonly isKilled: boolean;
  readonly promptOf?: (turn: number) => string | undefined;
}

async function seedRondo(
  store: Store,
  { turns, isKilled, promptOf }: RondoSeed,
): Promise<{ readonly events: number }> {
  const session = createKernelTurns(seededSession, Date.now() - turns);
  let records: NewRecord[] = [];
  let expected = 0;
  const states: State[] = [];
  const claim = store.leases.create(seededSession);
  let { position } = claim;
  const flush = async () => {
    const projection = { entry: directoryEntryOf(session.state) };
    const answer = await store.journal.append({
      session: seededSession,
      position,
      expected,
      records,
      projection,
    });
    if (answer.type !== 'appended') throw new Error(`Seeding was refused: ${JSON.stringify(answer)}`);
    expected = answer.seq;
    ({ position } = answer);
    records = [];
  };
  for (let turn = 1; turn <= turns; turn += 1) {
    for (const { input, transition } of session.turn(promptOf?.(turn))) {
      const events = transition.events.map(({ event }) => JSON.stringify(event));
      records.push({ at: input.at, by: input.by, events });
    }
    states.push(session.state);
    if (records.length >= stepsInAppend || turn === turns) await flush();
  }
  const snapshot = isKilled ? states.find((state) => isBeforeNext(state, expected)) : states.at(-1);
  if (snapshot !== undefined) {
    const body = JSON.stringify(snapshot);
    await store.journal.saveSnapshot(seededSession, { seq: snapshot.seq, version: stateVersion, body }, claim);
  }
  return { events: expected };
}

/** True if the snapshot after this one isn't due at the end. */
function isBeforeNext(state: State, end: number): boolean {
  return state.seq + snapshotInterval(JSON.stringify(state).length) > end;
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
