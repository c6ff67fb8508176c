/** The floor's storage on JetStream: each barrier is one record after the newest one, then the session's entry. */
import { entryOf } from '../appends/bench-entry.ts';
import type { FloorRecord } from '../workload/floor-event.ts';
import type { Keeper } from '../workload/floor-runtime.ts';
import { newNatsHead, openNatsFloor, type NatsHead } from './nats-floor.ts';

export async function openNatsKeeper(address: string): Promise<Keeper> {
  const floor = await openNatsFloor(address);
  const heads = new Map<string, NatsHead>();
  let batch: FloorRecord[] = [];
  return {
    add: (record) => void batch.push(record),
    async barrier() {
      const [first] = batch;
      if (first === undefined) return;
      const { session } = first;
      const head = heads.get(session) ?? newNatsHead(session);
      heads.set(session, head);
      const events = batch.length;
      const body = JSON.stringify(batch);
      batch = [];
      await floor.append(head, { events, body, entry: entryOf(session, Date.now()) });
    },
    [Symbol.dispose]: () => void floor[Symbol.asyncDispose](),
  };
}
