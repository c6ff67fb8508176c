import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { BlobHash } from '../../kernel/ids.ts';
import { ada, first, record, request } from '../../testing/contracts/journal-samples.ts';
import { openDriver } from './driver.ts';
import { openSqliteStore } from './sqlite-store.ts';

const day = 86_400_000;

function naming(blob: BlobHash) {
  const event = { type: 'custom', name: 'named', data: { blob, length: 9, preview: '' } };
  return { at: 1000, by: ada, events: [JSON.stringify(event)] };
}

test('[O10] [P11] records of an earlier version keep their blobs, and reading them leaves the loop free', async () => {
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
  let turns = 0;
  const watch = setInterval(() => (turns += 1), 0);
  const sweep = (days: number) => store.upkeep.sweepBlobs({ now: Date.now() + days * day, uptime: days * day });
  expect(await sweep(0)).toEqual({ blobs: 0, bytes: 0, waiting: 1 });
  expect(await sweep(1)).toEqual({ blobs: 1, bytes: 6, waiting: 0 });
  clearInterval(watch);
  expect(await store.upkeep.blobsOf(first)).toEqual([oldest, newest].toSorted());
  expect(await store.blobs.get(unused)).toBeUndefined();
  // It reads 500 records at a time and yields in between, however busy the machine is.
  expect(turns).toBeGreaterThanOrEqual(5);
});
