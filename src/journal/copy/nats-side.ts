import { wallClock } from '../store-clock.ts';
import { isDead, isSameMachine, ownIdentity } from '../process-identity.ts';
import { ownerOf } from '../process-row.ts';
import { withLargeBodies } from '../nats/large-bodies.ts';
import { createLetters } from '../nats/letters.ts';
import { natsPlace } from '../nats/nats-address.ts';
import { createBlobRows, createNatsBlobs } from '../nats/nats-blobs.ts';
import { connectNats } from '../nats/nats-client.ts';
import { createQueueLog } from '../nats/nats-job-queue.ts';
import { createProcesses } from '../nats/processes.ts';
import { createLogReader } from '../nats/read-log.ts';
import { createSessionDirectory } from '../nats/session-directory.ts';
import { createLogWriter } from '../nats/log-writer.ts';
import { prepareStore, readStoreFacts, writeState } from '../nats/store-layout.ts';
import { tableShapes, type CopiedRow, type CopiedTable, type CopySide, type TableShape } from './copied-tables.ts';
import { createNatsRowReader } from './nats-row-reader.ts';
import { createNatsRowWriter } from './nats-row-writer.ts';

/** A process on another machine counts as gone if it hasn't renewed its lease for this long. */
const silentMs = 60_000;

export async function openNatsSide(address: string): Promise<CopySide> {
  const place = natsPlace(address);
  const connected = await connectNats(place, { retryMs: 5000 });
  const { layout } = await prepareStore(connected, place, 'copy');
  const client = withLargeBodies(connected, layout);
  const self = () => ({ id: 'copy', ...ownIdentity() });
  const directory = createSessionDirectory(client, layout);
  const letters = createLetters(client, layout, () => Date.now());
  const writer = createLogWriter({ client, layout, directory, letters });
  const reader = createLogReader({ client, layout, tamper: (_session, record) => record });
  const processes = createProcesses({ client, layout, self, now: () => Date.now() });
  const parts = { client, layout, directory, writer, reader, queue: createQueueLog({ client, layout }) };
  const rows = createNatsRowReader(parts);
  const put = createNatsRowWriter(parts, place);
  const blobParts = { client, layout, clock: wallClock };
  /** Nobody else writes, so a table is read once until it changes here. */
  const tables = new Map<CopiedTable, Promise<readonly CopiedRow[]>>();
  const rowsOf = (table: Exclude<CopiedTable, 'records'>) => {
    const list = tables.get(table) ?? rows.all(table).then((all) => all.toSorted(byKey(table)));
    tables.set(table, list);
    return list;
  };
  return {
    name: place.shown,
    blobs: createNatsBlobs(blobParts, createBlobRows(blobParts)),
    state: async () => (await readStoreFacts(client, place.name))?.facts.state ?? 'ready',
    setState: (state) => writeState(client, place, { state }),
    async living() {
      const own = ownIdentity();
      const living = (await processes.all()).filter((row) => {
        const owner = ownerOf(row);
        return isSameMachine(owner, own) ? !isDead(owner, own) : Date.now() - row.expires_at < silentMs;
      });
      return living.map(({ pid, host }) => `process ${pid} on ${host}`);
    },
    async page(table, after, limit) {
      if (table === 'records') return rows.records(after, limit);
      const all = await rowsOf(table);
      const compare = byKey(table);
      const from = after === undefined ? 0 : all.findIndex((row) => compare(row, after) > 0);
      return from < 0 ? [] : all.slice(from, from + limit);
    },
    last: async (table) => (table === 'records' ? rows.lastRecord() : (await rowsOf(table)).at(-1)),
    async put(table, given) {
      if (given.length === 0) return;
      await put(table, given);
      tables.clear();
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function byKey(table: CopiedTable): (a: CopiedRow, b: CopiedRow) => number {
  const { key }: TableShape = tableShapes[table];
  return (a, b) => {
    for (const column of key) {
      const order = compareValues(a[column] ?? null, b[column] ?? null);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Texts bytewise, as the other engines do. */
function compareValues(a: CopiedRow[string], b: CopiedRow[string]): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
