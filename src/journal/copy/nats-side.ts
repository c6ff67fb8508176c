import { randomUUID } from 'node:crypto';

import { wallClock } from '../store-clock.ts';
import { ownIdentity } from '../process-identity.ts';
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
import { createLivingProcesses } from './living-processes.ts';
import { createNatsRowReader } from './nats-row-reader.ts';
import { createNatsRowWriter } from './nats-row-writer.ts';

export async function openNatsSide(address: string): Promise<CopySide> {
  const place = natsPlace(address);
  const connected = await connectNats(place, { retryMs: 5000 });
  const { layout, facts } = await prepareStore(connected, place, 'copy');
  const leaseMs = facts.lease * 1000;
  let renewal: NodeJS.Timeout | undefined;
  const client = withLargeBodies(connected, layout);
  const own = { id: `copy-${randomUUID()}`, ...ownIdentity() };
  const directory = createSessionDirectory(client, layout);
  const letters = createLetters(client, layout, () => Date.now());
  const writer = createLogWriter({ client, layout, directory, letters });
  const reader = createLogReader({ client, layout, tamper: (_session, record) => record });
  const processes = createProcesses({ client, layout, self: () => own, now: () => Date.now() });
  async function leave(): Promise<void> {
    if (renewal === undefined) return;
    clearInterval(renewal);
    renewal = undefined;
    await processes.leave();
  }
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
    async enter() {
      await processes.register();
      renewal ??= setInterval(() => void processes.renew().catch(() => undefined), leaseMs / 5);
    },
    state: async () => (await readStoreFacts(client, place.name))?.facts.state ?? 'ready',
    setState: (state) => writeState(client, place, { state }),
    living: createLivingProcesses({ all: processes.all, leaseMs, self: own.id }),
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
    leave,
    async [Symbol.asyncDispose]() {
      await leave().catch(() => undefined);
      await client.close();
    },
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
