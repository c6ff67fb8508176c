import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { checksumOf } from '../journal/checksum.ts';
import { openDriver } from '../journal/sqlite/driver.ts';
import { openSqliteStore } from '../journal/sqlite/sqlite-store.ts';
import type { SessionId } from '../kernel/ids.ts';
import { createTestingModel } from '../models/testing-model.ts';
import { createRondo } from '../rondo.ts';
import { createSystemClock } from '../runtime/system-clock.ts';
import { stateVersion } from '../session/read/load-session.ts';
import { testTool } from '../testing/test-tool.ts';
import { directoryVersion } from '../views/directory.ts';
import { examineSession, mendSession } from './examine-session.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-examine-'));
});
afterAll(() => rm(folder, { recursive: true }));

const open = async (file: string) => {
  const store = await openSqliteStore({ path: file });
  const rondo = await createRondo({
    store,
    agents: { testing: { model: 'testing' } },
    models: { testing: createTestingModel() },
    tools: [testTool('touch', () => 'touched', { access: 'write', repeat: 'never' })],
  });
  return { store, rondo };
};

/** A session with an open question, in a closed store. */
async function storedSession(name: string): Promise<{ readonly file: string; readonly id: SessionId }> {
  const file = path.join(folder, name);
  const { rondo } = await open(file);
  await using _ = rondo;
  const session = await rondo.sessions.create({ agent: 'testing', title: 'Right' });
  await session.chat('say one');
  await session.chat('call touch {}\nsay two');
  return { file, id: session.id };
}

function spoil(file: string, ...statements: readonly string[]): void {
  const db = openDriver(file, { busyTimeoutMs: 1000 });
  for (const statement of statements) db.run(statement);
  db.close();
}

test('a sound session has no problems', async () => {
  const { file, id } = await storedSession('sound.db');
  const { store, rondo } = await open(file);
  await using _ = rondo;
  expect((await examineSession(store, id)).problems).toEqual([]);
});

test('lists, inboxes and due times that are not what the journal gives are found and rebuilt', async () => {
  const { file, id } = await storedSession('listed.db');
  spoil(
    file,
    `UPDATE directory SET entry = replace(entry, 'Right', 'Wrong'), title = 'wrong'`,
    'DELETE FROM questions',
    'UPDATE sessions SET due = 77',
  );
  const { store, rondo } = await open(file);
  await using _ = rondo;
  const examined = await examineSession(store, id);
  const problem = {
    type: 'listed',
    words: 'its entry in lists and inboxes differs from the journal',
  } as const;
  expect(examined.problems).toEqual([problem]);
  expect(await mendSession({ store, clock: createSystemClock() }, examined, problem)).toBe(
    'rebuilt its list entry from the journal',
  );
  expect((await examineSession(store, id)).problems).toEqual([]);
  const { entries } = await rondo.sessions.list({ q: 'right' });
  expect(entries.map(({ title, questions }) => ({ title, questions }))).toEqual([
    { title: 'Right', questions: 1 },
  ]);
  expect((await rondo.questions()).map(({ session }) => session)).toEqual([id]);
});

test('a row of the directory that an older Rondo wrote is rebuilt without a word; one of a newer is left alone', async () => {
  const { file, id } = await storedSession('older.db');
  spoil(file, `UPDATE directory SET entry = json_remove(entry, '$.view', '$.doing')`);
  const { store, rondo } = await open(file);
  await using _ = rondo;
  expect((await examineSession(store, id)).problems).toEqual([]);
  const listing = await store.upkeep.shown(id);
  expect(listing.entry).toMatchObject({ doing: 'waiting for approval of touch', view: directoryVersion });
  spoil(file, `UPDATE directory SET entry = json_set(entry, '$.view', 99, '$.doing', 'pondering')`);
  expect((await examineSession(store, id)).problems).toEqual([]);
  expect((await store.upkeep.shown(id)).entry).toMatchObject({ doing: 'pondering', view: 99 });
});

test('a snapshot that is not what the journal gives is found and rebuilt', async () => {
  const { file, id } = await storedSession('snapshot.db');
  const { store, rondo } = await open(file);
  await using _ = rondo;
  const { fold } = await examineSession(store, id);
  const { seq } = fold.state;
  const body = JSON.stringify({ ...fold.state, title: 'Wrong' });
  const { epoch = 0 } = (await store.journal.head(id)) ?? {};
  await store.journal.saveSnapshot(id, { seq, version: stateVersion, body }, { epoch });
  const examined = await examineSession(store, id);
  const [problem] = examined.problems;
  expect(problem).toMatchObject({ type: 'snapshot', seq });
  if (problem !== undefined) await mendSession({ store, clock: createSystemClock() }, examined, problem);
  expect((await examineSession(store, id)).problems).toEqual([]);
});

test('damaged records are set aside and kept; the session continues from before them', async () => {
  const { file, id } = await storedSession('damaged.db');
  const { store, rondo } = await open(file);
  await using _ = rondo;
  const { events } = await store.journal.read(id, { after: 0 });
  const bad = events.findLast(({ event }) => event.type === 'turn-started')?.seq ?? 0;
  const records = await store.upkeep.records(id, { after: bad - 1, limit: 99 });
  const { first } = records[0] ?? { first: 0 };
  spoil(file, `UPDATE records SET body = replace(body, 'turn-started', 'turn-startet') WHERE first = ${first}`);
  const examined = await examineSession(store, id);
  const [problem] = examined.problems;
  expect(problem).toMatchObject({ type: 'damaged', seq: first });
  expect(problem && (await mendSession({ store, clock: createSystemClock() }, examined, problem))).toBe(
    `events ${first} to ${events.length} were set aside and kept in the store; the session continues from event ${first - 1}`,
  );
  expect((await examineSession(store, id)).problems).toEqual([]);
  expect(await rondo.questions()).toEqual([]);
  const db = openDriver(file, { busyTimeoutMs: 1000 });
  const aside = db.all<{ session: string; first: number }>('SELECT session, first FROM set_aside ORDER BY first');
  db.close();
  expect(aside).toEqual(records.map((one) => ({ session: id, first: one.first })));
  const session = await rondo.sessions.open(id);
  expect((await session.chat('say it goes on')).text).toBe('it goes on');
});

test("records of a newer Rondo aren't damage and are left alone", async () => {
  const { file, id } = await storedSession('newer.db');
  const { store, rondo } = await open(file);
  await using _ = rondo;
  const claimed = await store.leases.claim(id);
  if (claimed.type !== 'claimed') throw new Error('The session is held.');
  const { position } = claimed.claim;
  const { seq = 0 } = (await store.journal.head(id)) ?? {};
  const events = [JSON.stringify({ type: 'telepathy' })];
  const by = { type: 'person', name: 'Ada' } as const;
  await store.journal.append({ session: id, position, expected: seq, records: [{ at: 1, by, events }] });
  const examined = await examineSession(store, id);
  const [problem] = examined.problems;
  expect(problem).toEqual({ type: 'newer', words: expect.stringContaining('"telepathy"') as string });
  expect(problem && (await mendSession({ store, clock: createSystemClock() }, examined, problem))).toBeUndefined();
  expect((await store.journal.head(id))?.seq).toBe(seq + 1);
});

test('an event that is not as Rondo writes it is reported, and left alone', async () => {
  const { file, id } = await storedSession('misshapen.db');
  const db = openDriver(file, { busyTimeoutMs: 1000 });
  const { body } = db.get<{ body: string }>('SELECT body FROM records WHERE first = 2') ?? { body: '' };
  const changed = body.replace('"delivery":"queue"', '"delivery":7');
  db.run('UPDATE records SET body = ?, checksum = ? WHERE first = 2', changed, checksumOf(id, 2, changed));
  db.close();
  const { store, rondo } = await open(file);
  await using _ = rondo;
  const examined = await examineSession(store, id);
  const problem = {
    type: 'unsound',
    seq: 2,
    words: 'its event 2 (prompt-received) is not as Rondo writes it: its field delivery is none of steer, queue',
  } as const;
  expect(examined.problems).toEqual([problem]);
  expect(await mendSession({ store, clock: createSystemClock() }, examined, problem)).toBeUndefined();
});
