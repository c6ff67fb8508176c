/** A session of Rondo with many turns, written fast through the journal port. */
import path from 'node:path';

import type { SessionId } from '../../src/kernel/ids.ts';
import type { State } from '../../src/kernel/state.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { NewRecord } from '../../src/ports/journal.ts';
import type { Store } from '../../src/ports/store.ts';
import { snapshotInterval } from '../../src/session/live/snapshot-keeper.ts';
import { stateVersion } from '../../src/session/read/load-session.ts';
import { directoryEntryOf } from '../../src/views/directory.ts';
import { createKernelTurns } from '../workload/kernel-turns.ts';

export const seededSession = 'ses_bench00000000000000000000' as SessionId;

const stepsInAppend = 2000;

interface RondoSeed {
  readonly turns: number;
  readonly folder: string;
  /** Its process was killed at the worst moment, just before the next snapshot; otherwise its snapshot is new. */
  readonly isKilled: boolean;
  /** The prompt of a turn, if it differs from the standard one. */
  readonly promptOf?: (turn: number) => string | undefined;
}

export async function seedRondo({ folder, ...seed }: RondoSeed): Promise<{ readonly events: number }> {
  await using store = await openSqliteStore({ path: path.join(folder, 'rondo.db') });
  return await seedStore(store, seed);
}

export async function seedStore(
  store: Store,
  { turns, isKilled, promptOf }: Omit<RondoSeed, 'folder'>,
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
