/** Sessions at work whose process is killed, and the process that takes them over. */
import { Client } from 'pg';
import Database from 'better-sqlite3';

import { createRondo, type Rondo } from '../../src/rondo.ts';

interface Place {
  readonly store: string;
  readonly sessions: number;
}

/** Never returns: the process kills itself in the middle of all turns. */
export async function leaveSessions({ store, sessions }: Place): Promise<{ readonly left: number }> {
  const called = Promise.withResolvers<void>();
  let calls = 0;
  const rondo = await openAtWork(store, () => {
    calls += 1;
    if (calls === sessions) called.resolve();
  });
  await Promise.all(
    Array.from({ length: sessions }, async () => {
      const session = await rondo.sessions.create();
      await session.send({ type: 'chat', text: 'work' });
    }),
  );
  await called.promise;
  process.kill(process.pid, 'SIGKILL');
  return { left: calls };
}

export async function measureTakeOver({ store, sessions }: Place): Promise<{ readonly ms: number }> {
  await using rondo = await openAtWork(store, () => undefined);
  const started = performance.now();
  const adopted = await rondo.adopt();
  const ms = performance.now() - started;
  if (adopted.length !== sessions) throw new Error(`Took ${adopted.length} sessions over instead of ${sessions}.`);
  return { ms };
}

function openAtWork(store: string, onCall: () => void): Promise<Rondo> {
  return createRondo({
    store,
    agents: { bench: {} },
    models: {
      bench: {
        name: 'bench',
        call(_request, _sink, signal) {
          onCall();
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve({ type: 'cancelled' }), { once: true }),
          );
        },
      },
    },
  });
}

/** The least: read each session's state, fence all of them, append one event to each, all in bulk. */
export async function measureTakeOverFloor({ store, sessions }: Place): Promise<{ readonly ms: number }> {
  return {
    ms: await (store.startsWith('postgres') ? floorOnPostgres(store, sessions) : floorOnSqlite(store, sessions)),
  };
}

const body = JSON.stringify({ type: 'event', text: 'x'.repeat(250) });
const tables = `
  CREATE TABLE IF NOT EXISTS owned (id INTEGER PRIMARY KEY, owner INTEGER, epoch INTEGER, state TEXT);
  CREATE TABLE IF NOT EXISTS happened (session INTEGER, position INTEGER, body TEXT, PRIMARY KEY (session, position));
  DELETE FROM owned; DELETE FROM happened;`;

async function floorOnPostgres(store: string, sessions: number): Promise<number> {
  const client = new Client(store);
  await client.connect();
  await client.query(tables);
  await client.query('INSERT INTO owned SELECT n, 1, 1, $2 FROM generate_series(1, $1::int) AS n', [
    sessions,
    body,
  ]);
  await client.query('INSERT INTO happened SELECT id, 1, state FROM owned');
  const started = performance.now();
  const { rows } = await client.query<{ id: number; state: string }>(
    'SELECT id, state FROM owned WHERE owner = 1',
  );
  for (const { state } of rows) JSON.parse(state);
  await client.query(
    `WITH taken AS (UPDATE owned SET owner = 2, epoch = epoch + 1 WHERE owner = 1 RETURNING id)
     INSERT INTO happened SELECT id, 2, $1 FROM taken`,
    [body],
  );
  const ms = performance.now() - started;
  await client.end();
  return ms;
}

function floorOnSqlite(store: string, sessions: number): number {
  using database = sqliteAt(store);
  database.db.exec(tables);
  const insert = database.db.prepare('INSERT INTO owned VALUES (?, 1, 1, ?)');
  database.db.transaction(() => {
    for (let id = 1; id <= sessions; id += 1) insert.run(id, body);
  })();
  const started = performance.now();
  const rows = database.db
    .prepare<[], { id: number; state: string }>('SELECT id, state FROM owned WHERE owner = 1')
    .all();
  const append = database.db.prepare('INSERT INTO happened VALUES (?, 2, ?)');
  database.db.transaction(() => {
    database.db.exec('UPDATE owned SET owner = 2, epoch = epoch + 1 WHERE owner = 1');
    for (const { id, state } of rows) {
      JSON.parse(state);
      append.run(id, body);
    }
  })();
  return performance.now() - started;
}

function sqliteAt(store: string) {
  const db = new Database(store.replace(/^sqlite:/, ''));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  return { db, [Symbol.dispose]: () => void db.close() };
}
