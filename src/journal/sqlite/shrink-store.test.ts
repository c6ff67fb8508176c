import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, expect, it } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { record, request } from '../../testing/contracts/journal-samples.ts';
import { claimOf } from '../../testing/contracts/lease-contract.ts';
import { openDriver } from './driver.ts';
import { shrinkStore } from './shrink-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const [gone, stays] = ['ses_gone', 'ses_stays'] as SessionId[] as [SessionId, SessionId];

/** A store of two sessions, the large one removed. */
async function storeWithRoom(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-shrink-'));
  folders.push(folder);
  const file = path.join(folder, 'rondo.db');
  await using store = await openSqliteStore({ path: file });
  const text = 'x'.repeat(1_000_000);
  for (let seq = 0; seq < 4; seq += 1) {
    await store.journal.append({ ...request(seq, [record(text)]), session: gone });
  }
  await store.journal.append({ ...request(0, [record('small')]), session: stays });
  expect(await store.upkeep.remove(gone, { epoch: 1, seq: 4 }, { family: [gone] })).toBe('done');
  return file;
}

it('[C122] gives back what removed sessions took, and keeps the rest', async () => {
  const file = await storeWithRoom();
  const { size } = await stat(file);
  const shrunk = shrinkStore(file);
  const after = (await stat(file)).size;
  expect(shrunk).toEqual({ type: 'shrunk', bytes: size - after });
  expect(after).toBeLessThan(200_000);
  expect(shrinkStore(file)).toEqual({ type: 'small' });
  const db = openDriver(file, { busyTimeoutMs: 0 });
  expect(db.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
  db.close();
  await using store = await openSqliteStore({ path: file });
  expect(await store.upkeep.sessions()).toEqual([stays]);
  const { session, position } = await claimOf(store, stays);
  expect((await store.journal.append(request(1, [record('more')], { session, position }))).type).toBe('appended');
});

it("[C122] doesn't shrink a store that something else has open", async () => {
  const file = await storeWithRoom();
  await using store = await openSqliteStore({ path: file });
  expect(await store.upkeep.sessions()).toEqual([stays]);
  const { size } = await stat(file);
  expect(shrinkStore(file)).toEqual({ type: 'in-use', free: expect.any(Number) as number });
  expect((await stat(file)).size).toBe(size);
  const { session, position } = await claimOf(store, stays);
  expect((await store.journal.append(request(1, [record('more')], { session, position }))).type).toBe('appended');
});

it('[C122] leaves a store alone that another process locks at that moment, even against readers', async () => {
  const file = await storeWithRoom();
  const other = openDriver(file, { busyTimeoutMs: 0 });
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT');
  expect(shrinkStore(file)).toEqual({ type: 'in-use' });
  other.close();
  expect(shrinkStore(file)).toMatchObject({ type: 'shrunk' });
});

it('[C122] opening a store restores its log mode after a kill in the middle of shrinking', async () => {
  const file = await storeWithRoom();
  const modeOf = () => {
    const db = openDriver(file, { busyTimeoutMs: 0 });
    const mode = db.get<{ journal_mode: string }>('PRAGMA journal_mode')?.journal_mode;
    db.close();
    return mode;
  };
  const killed = openDriver(file, { busyTimeoutMs: 0 });
  killed.exec('PRAGMA journal_mode = DELETE');
  killed.close();
  expect(modeOf()).toBe('delete');
  await (await openSqliteStore({ path: file }))[Symbol.asyncDispose]();
  expect(modeOf()).toBe('wal');
});
