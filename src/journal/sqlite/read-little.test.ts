/** Counts reads and writes: opening and listing must cost only what is shown. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { first, record, recorded, request } from '../../testing/contracts/journal-samples.ts';
import { openDriver, type Driver } from './driver.ts';
import { findSession, readBefore } from './read-records.ts';
import { openSqliteStore } from './sqlite-store.ts';

let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-little-'));
  // A place of its own: on a busy machine it stays long enough to open its socket.
  await using store = await openSqliteStore({ path: file(), socketFolder: path.join(folder, 'earlier') });
  const names = Array.from({ length: 1000 }, (_, index) => `${index + 1}`);
  const inPairs = names.flatMap((name, index) => (index % 2 === 0 ? [record(name, `${index + 2}`)] : []));
  await store.journal.append(request(0, inPairs));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = () => path.join(folder, 'store.db');
const storeAt = () => ({ path: file(), socketFolder: path.join(folder, 'sockets') });

it('[P10] reads back no more records than the events asked for lie in, and one', () => {
  const db = openDriver(file(), { busyTimeoutMs: 1000 });
  let rows = 0;
  const counting: Driver = {
    ...db,
    all: (sql, ...values) => {
      const result = db.all<never>(sql, ...values);
      rows += result.length;
      return result;
    },
  };
  const row = findSession(counting, first);
  const page = row && readBefore(counting, row, { session: first, before: 1001, limit: 100 });
  const events = recorded(901, ...Array.from({ length: 100 }, (_, index) => `${index + 901}`));
  expect(page).toEqual({ events, last: 1000, damages: [] });
  expect(rows).toBe(50);
  db.close();
});

it('leaves a store that was only read as it was, and opens no socket', async () => {
  const before = readFileSync(file());
  const store = await openSqliteStore(storeAt());
  await store.journal.list({});
  await store.journal.read(first, { after: 0 });
  expect(await store.leases.ownerOf(first)).toBeUndefined();
  await store[Symbol.asyncDispose]();
  expect(readFileSync(file()).equals(before)).toBe(true);
  expect(existsSync(path.join(folder, 'sockets'))).toBe(false);
});
