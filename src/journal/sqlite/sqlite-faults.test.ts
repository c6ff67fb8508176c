import { chmod, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, expect, it } from 'vitest';

import { first, record, recorded, request, second } from '../../testing/contracts/journal-samples.ts';
import { claimOf } from '../../testing/contracts/lease-contract.ts';
import { rondoVersion } from '../rondo-version.ts';
import { openDriver } from './driver.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

it('makes the folder of a new store', async () => {
  const file = path.join(await newFolder(), 'deep', 'er', 'store.db');
  await using store = await openSqliteStore({ path: file });
  expect(await store.journal.append(request(0, [record('a')]))).toMatchObject({ type: 'appended', seq: 1 });
});

it('says which folder cannot be made', async () => {
  const file = path.join(await newFolder(), 'a-file');
  await writeFile(file, '');
  const inside = path.join(file, 'store.db');
  await expect(openSqliteStore({ path: inside })).rejects.toMatchObject({
    name: 'Fault',
    message: expect.stringContaining(`Opening the store in ${inside} failed`) as string,
  });
});

it("reports that a file isn't a database, and leaves it alone", async () => {
  const file = path.join(await newFolder(), 'notes.txt');
  await writeFile(file, 'These are my notes. '.repeat(100));
  await expect(openSqliteStore({ path: file })).rejects.toMatchObject({
    name: 'Fault',
    code: 'unreadable',
    message: expect.stringContaining(`Opening the store in ${file} failed: the file is not a database.`) as string,
  });
  expect((await stat(file)).size).toBe(2000);
});

it('refuses appends while another program keeps the file locked, and continues afterwards', async () => {
  const file = path.join(await newFolder(), 'store.db');
  await using store = await openSqliteStore({ path: file, busyTimeoutMs: 20 });
  await store.journal.append(request(0, [record('a')]));
  const other = openDriver(file, { busyTimeoutMs: 20 });
  other.exec('BEGIN IMMEDIATE');
  await expect(store.journal.append(request(1, [record('b')]))).rejects.toMatchObject({
    name: 'Fault',
    code: 'busy',
    message: expect.stringContaining(`Appending to session ${first} in ${file} failed: another program`) as string,
  });
  expect(await store.journal.head(first)).toEqual({ seq: 1, epoch: 1 });
  other.exec('ROLLBACK');
  other.close();
  expect(await store.journal.append(request(1, [record('b')]))).toMatchObject({ type: 'appended', seq: 2 });
});

it.skipIf(process.getuid?.() === 0)(
  'refuses appends to a file that may not be written, and reads it',
  async () => {
    const folder = await newFolder();
    const file = path.join(folder, 'store.db');
    const writable = await openSqliteStore({ path: file });
    await writable.journal.append(request(0, [record('a')]));
    await writable[Symbol.asyncDispose]();
    await chmod(file, 0o400);
    await using store = await openSqliteStore({ path: file });
    expect(await store.journal.head(first)).toEqual({ seq: 1, epoch: 1 });
    await expect(store.leases.claim(first)).rejects.toMatchObject({ name: 'Fault', code: 'read-only' });
  },
);

it('reports it when the blobs cannot be written', async () => {
  const file = path.join(await newFolder(), 'store.db');
  await writeFile(`${file}.blobs`, 'in the way');
  await using store = await openSqliteStore({ path: file });
  await expect(store.blobs.put('hello')).rejects.toMatchObject({
    name: 'Fault',
    message: expect.stringContaining(`${file}.blobs`) as string,
  });
});

it('counts a cut-off record, a missing one and a missing end as damage where they begin', async () => {
  const file = path.join(await newFolder(), 'store.db');
  await using store = await openSqliteStore({ path: file });
  const { journal } = store;
  const ids = [first, second, 'ses_third' as typeof first];
  await Promise.all(
    ids.map((session) => journal.append(request(0, [record('a'), record('b', 'c'), record('d')], { session }))),
  );
  // A missing end shows if something later was recorded: a snapshot, a change of owner.
  await journal.saveSnapshot(ids[2] ?? first, { seq: 4, version: 1, body: '{}' }, { epoch: 1 });
  const db = openDriver(file, { busyTimeoutMs: 1000 });
  db.run(`UPDATE records SET body = substr(body, 1, 20) WHERE first = 2 AND session = ${number(first)}`);
  db.run(`DELETE FROM records WHERE first = 2 AND session = ${number(second)}`);
  db.run(`DELETE FROM records WHERE first = 4 AND session = ${number('ses_third')}`);
  db.close();
  const damages = await Promise.all(ids.map(async (id) => (await journal.read(id, { after: 0 })).damage));
  expect(damages).toEqual([
    { session: first, seq: 2, reason: 'the record at 2 is damaged: its checksum does not match' },
    { session: second, seq: 2, reason: 'events 2 to 3 are missing' },
    { session: 'ses_third', seq: 4, reason: 'event 4 is missing' },
  ]);
  const answers = await Promise.all(ids.map((session) => journal.append(request(4, [record('e')], { session }))));
  expect(answers).toEqual(damages.map((damage) => ({ type: 'damaged', damage })));
});

it('takes writes again once a repaired session was checked', async () => {
  const file = path.join(await newFolder(), 'store.db');
  await using store = await openSqliteStore({ path: file });
  const { journal } = store;
  await journal.append(request(0, [record('a'), record('b')]));
  const db = openDriver(file, { busyTimeoutMs: 1000 });
  db.run(`UPDATE records SET checksum = checksum + 1 WHERE first = 2`);
  expect(await journal.check(first)).toHaveLength(1);
  db.run(`UPDATE records SET checksum = checksum - 1 WHERE first = 2`);
  db.close();
  expect(await journal.check(first)).toEqual([]);
  expect(await journal.append(request(2, [record('c')]))).toMatchObject({ type: 'appended', seq: 3 });
});

it('names the file when the database itself is cut off', async () => {
  const file = path.join(await newFolder(), 'store.db');
  const store = await openSqliteStore({ path: file });
  await store.journal.append(request(0, [record('x'.repeat(100_000))]));
  await store[Symbol.asyncDispose]();
  await using handle = await open(file, 'r+');
  await handle.truncate(40_960);
  await expect(openSqliteStore({ path: file })).rejects.toMatchObject({
    name: 'Fault',
    code: 'damaged',
    message: expect.stringContaining(file) as string,
  });
});

it('refuses an event of a kind it does not know by its name and the version that wrote it [P11]', async () => {
  const file = path.join(await newFolder(), 'store.db');
  const newer = await openSqliteStore({ path: file, version: '9.1.0' });
  const events = [JSON.stringify({ type: 'telepathy' })];
  await newer.journal.append(request(0, [record('a'), { ...record('b'), events }]));
  await newer.journal.append(request(0, [record('a')], { session: second }));
  await newer[Symbol.asyncDispose]();
  await using store = await openSqliteStore({ path: file });
  await expect(store.journal.read(first, { after: 0 })).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringMatching(/event 2 is of the kind "telepathy".*written by Rondo 9\.1\.0\./) as string,
  });
  expect((await store.journal.head(first))?.seq).toBe(2);
  expect(await store.journal.read(second, { after: 0 })).toEqual({ events: recorded(1, 'a'), last: 1 });
  const { position } = await claimOf(store, second);
  await store.journal.append(request(1, [record('b')], { session: second, position }));
  expect(await store.upkeep.writers()).toEqual(['9.1.0', rondoVersion()]);
});

it('reads a long session in pieces', async () => {
  const file = path.join(await newFolder(), 'store.db');
  await using store = await openSqliteStore({ path: file });
  const names = Array.from({ length: 1700 }, (_, index) => `event ${index}`);
  await store.journal.append(
    request(
      0,
      names.map((name) => record(name)),
    ),
  );
  const all = recorded(1, ...names);
  expect(await store.journal.read(first, { after: 0 })).toEqual({ events: all, last: 1700 });
  expect(await store.journal.read(first, { after: 0, limit: 1200 })).toEqual({
    events: all.slice(0, 1200),
    last: 1700,
  });
  expect(await store.journal.readBack(first, { before: 1601, limit: 1200 })).toEqual({
    events: all.slice(400, 1600),
    last: 1700,
  });
});

function number(session: string): string {
  return `(SELECT number FROM sessions WHERE id = '${session}')`;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-faults-'));
  folders.push(folder);
  return folder;
}
