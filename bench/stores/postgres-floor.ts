/**
 * Appends to PostgreSQL by hand, with the guarantees and the batching of the store: N writers each await their append
 * before the next; what waits goes as one statement, up to 256 together, over two connections. Each record goes right
 * after the one it follows or is refused, has a checksum and an id, and is synced before the answer.
 */
import { eventsBefore, sessionCount, sessionName, writersRun, type Appends } from '../appends/append-load.ts';
import { entryOf } from '../appends/bench-entry.ts';
import { startCpuMeter } from '../harness/cpu-meter.ts';
import { appendToFloor, connectFloor, floorTables, type FloorAppend } from './floor-tables.ts';

const event = `{"type":"custom","name":"bench","data":"${'x'.repeat(224)}"}`;
const mostTogether = 256;

interface Waiting extends FloorAppend {
  readonly resolve: () => void;
}

export async function measurePostgresFloor(given: {
  readonly address: string;
  readonly inGroup: number;
  readonly runMs: number;
  readonly withEntry: boolean;
  readonly serverPid: number;
}): Promise<Appends> {
  const clients = [await connectFloor(given.address), await connectFloor(given.address)];
  await clients[0]?.query(`DROP TABLE IF EXISTS floor_records, floor_directory; ${floorTables}`);
  const waiting: Waiting[] = [];
  const idle = [...clients];
  const heads = Array.from({ length: sessionCount }, (_, index) => ({ session: sessionName(index), seq: 0 }));

  function send(): void {
    while (waiting.length > 0) {
      const client = idle.pop();
      if (client === undefined) return;
      const group = waiting.splice(0, mostTogether);
      void appendToFloor(client, group).then(() => {
        for (const { resolve } of group) resolve();
        idle.push(client);
        queueMicrotask(send);
      });
    }
  }

  async function append(head: { readonly session: string; seq: number }): Promise<void> {
    const { session, seq } = head;
    const at = Date.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({
      session,
      after: seq,
      first: seq + 1,
      last: seq + 1,
      body: `{"v":1,"at":${at},"e":[${event}]}`,
      ...(given.withEntry && { entry: entryOf(session, at) }),
      resolve,
    });
    if (waiting.length === 1) queueMicrotask(send);
    await promise;
    head.seq += 1;
  }

  for (let event = 0; event < eventsBefore; event += 1) await Promise.all(heads.map(append));
  const meter = startCpuMeter(given.serverPid);
  const until = performance.now() + given.runMs;
  const count = await writersRun(heads, given.inGroup, () => performance.now() >= until, append);
  const measured = meter.per(count);
  for (const client of clients) await client.end();
  return measured;
}
