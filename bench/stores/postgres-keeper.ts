/** The floor's storage on PostgreSQL: hand-written SQL, each row right after the one it follows, synced at each barrier. */
import { Client } from 'pg';

import type { FloorRecord } from '../workload/floor-event.ts';
import type { Keeper } from '../workload/floor-runtime.ts';

export async function openPostgresKeeper(address: string): Promise<Keeper> {
  const client = new Client(address);
  await client.connect();
  await client.query(`CREATE TABLE IF NOT EXISTS floor_turns (
    session text COLLATE "C" NOT NULL, position bigint NOT NULL, body text NOT NULL, PRIMARY KEY (session, position))`);
  const positions = new Map<string, number>();
  let batch: FloorRecord[] = [];
  return {
    add: (record) => void batch.push(record),
    async barrier() {
      const [first] = batch;
      if (first === undefined) return;
      const { session } = first;
      const before = positions.get(session) ?? 0;
      const bodies = batch.map((record) => JSON.stringify(record));
      batch = [];
      const { rowCount } = await client.query(append, [session, before, bodies]);
      if (rowCount !== bodies.length) throw new Error(`Only ${rowCount} of ${bodies.length} rows were appended.`);
      positions.set(session, before + bodies.length);
    },
    [Symbol.dispose]: () => void client.end(),
  };
}

const append = `
  INSERT INTO floor_turns (session, position, body)
  SELECT $1, $2::bigint + n, b FROM unnest($3::text[]) WITH ORDINALITY AS given(b, n)
  WHERE $2 = 0 OR EXISTS (SELECT 1 FROM floor_turns WHERE session = $1 AND position = $2)
  ON CONFLICT DO NOTHING`;
