/** Opening a seeded session of many turns on PostgreSQL, in a process that is connected already. */
import { Client } from 'pg';

import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { createRondo } from '../../src/rondo.ts';
import { seededSession, seedStore } from '../open/seed-rondo.ts';
import {
  floorTurn,
  foldFloor,
  newFloorState,
  type FloorRecord,
  type FloorState,
} from '../workload/floor-event.ts';

export async function seedPostgres(given: {
  readonly address: string;
  readonly turns: number;
}): Promise<{ readonly events: number }> {
  await using store = await openPostgresStore({ address: given.address });
  const seeded = await seedStore(store, { turns: given.turns, isKilled: false });
  const client = new Client(floorAddress(given.address));
  await client.connect();
  await client.query(
    `CREATE TABLE floor_long (session text COLLATE "C", seq bigint, body text, PRIMARY KEY (session, seq));
     CREATE TABLE floor_snapshots (session text COLLATE "C" PRIMARY KEY, body text)`,
  );
  const state = newFloorState();
  const bodies: string[] = [];
  for (let turn = 1; turn <= given.turns; turn += 1) {
    for (const event of floorTurn(`call_${turn.toString(36)}`)) {
      state.seq += 1;
      bodies.push(JSON.stringify({ ...event, seq: state.seq, session: seededSession, at: turn }));
      foldFloor(state, event);
    }
  }
  await client.query(
    'INSERT INTO floor_long SELECT $1, n, b FROM unnest($2::text[]) WITH ORDINALITY AS given(b, n)',
    [seededSession, bodies],
  );
  await client.query('INSERT INTO floor_snapshots VALUES ($1, $2)', [seededSession, JSON.stringify(state)]);
  await client.end();
  return seeded;
}

export async function measureOpenPostgres(given: {
  readonly opener: 'rondo' | 'floor';
  readonly address: string;
  readonly turns: number;
}): Promise<{ readonly ms: number }> {
  return { ms: await (given.opener === 'rondo' ? openRondo(given) : openFloor(given)) };
}

interface Task {
  readonly address: string;
  readonly turns: number;
}

async function openRondo({ address, turns }: Task): Promise<number> {
  await using rondo = await createRondo({ store: address, agents: { bench: {} }, models: {} });
  await (await rondo.sessions.create()).persist();
  const started = performance.now();
  const { usage } = await (await rondo.sessions.open(seededSession)).status();
  const ms = performance.now() - started;
  if (usage.turns !== turns) throw new Error(`Rondo found ${usage.turns} turns instead of ${turns}.`);
  return ms;
}

async function openFloor({ address, turns }: Task): Promise<number> {
  const client = new Client(floorAddress(address));
  await client.connect();
  await client.query('SELECT 1');
  const started = performance.now();
  const { rows } = await client.query<{ body: string }>('SELECT body FROM floor_snapshots WHERE session = $1', [
    seededSession,
  ]);
  const state = JSON.parse(rows[0]?.body ?? '') as FloorState;
  const tail = await client.query<{ body: string }>(
    'SELECT body FROM floor_long WHERE session = $1 AND seq > $2 ORDER BY seq',
    [seededSession, state.seq],
  );
  for (const { body } of tail.rows) foldFloor(state, JSON.parse(body) as FloorRecord);
  const ms = performance.now() - started;
  await client.end();
  if (state.messages.length !== turns * 4 + 1) throw new Error(`The floor has ${state.messages.length} messages.`);
  return ms;
}

/** Without the parameters that only Rondo reads. */
function floorAddress(address: string): string {
  const url = new URL(address);
  url.search = '';
  return url.href;
}
