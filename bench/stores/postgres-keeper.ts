/**
 * The floor's storage on PostgreSQL: each barrier is one record right after the one it follows, with the session's entry
 * in the directory, synced.
 */
import type { FloorRecord } from '../workload/floor-event.ts';
import type { Keeper } from '../workload/floor-runtime.ts';
import { entryOf } from '../appends/bench-entry.ts';
import { appendToFloor, connectFloor, floorTables } from './floor-tables.ts';

export async function openPostgresKeeper(address: string): Promise<Keeper> {
  const client = await connectFloor(address);
  await client.query(floorTables);
  const heads = new Map<string, { readonly position: number; readonly seq: number }>();
  let batch: FloorRecord[] = [];
  return {
    add: (record) => void batch.push(record),
    async barrier() {
      const [first] = batch;
      if (first === undefined) return;
      const { session } = first;
      const { position, seq } = heads.get(session) ?? { position: 0, seq: 0 };
      const last = seq + batch.length;
      const body = JSON.stringify(batch);
      batch = [];
      const entry = entryOf(session, Date.now());
      await appendToFloor(client, [{ session, after: position, first: seq + 1, last, body, entry }]);
      heads.set(session, { position: position + 1, seq: last });
    },
    [Symbol.dispose]: () => void client.end(),
  };
}
