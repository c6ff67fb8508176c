import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { BlobHash } from '../../kernel/ids.ts';
import { ada, first, record, request } from '../../testing/contracts/journal-samples.ts';
import type { FileBlobs } from '../file-blobs.ts';
import { openDriver, type Driver } from './driver.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { StoreParts } from './store-parts.ts';
import { createBlobSweep } from './sweep-blobs.ts';
import type { BlobWrite } from './write-blobs.ts';

const day = 86_400_000;

function naming(blob: BlobHash) {
  const event = { type: 'custom', name: 'named', data: { blob, length: 9, preview: '' } };
  return { at: 1000, by: ada, events: [JSON.stringify(event)] };
}

test('[O10] [P11] records of an earlier version keep their blobs, and they are read 500 at a time', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-sweep-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'store.db');
  await using store = await openSqliteStore({ path: file });
  const hashes = await Promise.all([store.blobs.put('first'), store.blobs.put('last'), store.blobs.put('unused')]);
  const [oldest, newest, unused] = hashes;
  const filler = Array.from({ length: 3000 }, () => record('x'.repeat(3000)));
  await store.journal.append(request(0, [naming(oldest), ...filler, naming(newest)]));
  // From before records referred to their blobs.
  const db = openDriver(file, { busyTimeoutMs: 1000 });
  db.exec('DROP TABLE blob_references; DROP TABLE blob_marks');
  db.close();
  const sweep = (days: number) => store.upkeep.sweepBlobs({ now: Date.now() + days * day, uptime: days * day });
  expect(await sweep(0)).toEqual({ blobs: 0, bytes: 0, waiting: 1 });
  expect(await sweep(1)).toEqual({ blobs: 1, bytes: 6, waiting: 0 });
  expect(await store.upkeep.blobsOf(first)).toEqual([oldest, newest].toSorted());
  expect(await store.blobs.get(unused)).toBeUndefined();
});

test('[O10] [P10] a sweep reads 500 records at a time, and lets other work go between them', async () => {
  const order: string[] = [];
  const rowsFrom = (from: number) => ({ session: 1, body: `{"blob":"${from}"}` });
  let referredTo = 0;
  const db = {
    number: (sql: string) => (sql.includes('facts') ? referredTo : 1200),
    all: (_sql: string, from: number, upTo: number) => (order.push(`${from}-${upTo}`), [rowsFrom(from)]),
  } as unknown as Driver;
  const parts = {
    read: async (_doing: string, work: (db: Driver) => unknown) => work(db),
    writer: {
      async write([, write]: readonly ['blobs', BlobWrite]) {
        if (write[0] === 'refer') [, referredTo] = write;
        setImmediate(() => order.push('other work'));
      },
    },
    self: () => ({ bootId: 'boot' }),
  } as unknown as StoreParts;
  const nothing = { clean: async () => undefined, async *list() {} } as unknown as FileBlobs;
  await createBlobSweep(parts, nothing).sweep({ now: 0, uptime: 0 });
  expect(order).toEqual(['0-500', 'other work', '500-1000', 'other work', '1000-1200', 'other work']);
});
