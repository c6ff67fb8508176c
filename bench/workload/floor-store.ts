/** Hand-written SQLite storage, durable at each commit, for the floor's events. */
import Database from 'better-sqlite3';

export interface FloorStore extends Disposable {
  readonly database: Database.Database;
  begin(): void;
  append(session: string, seq: number, body: string): void;
  commit(): void;
}

/**
 * `clustered` takes the least space for one session. `appended` is the fastest if many sessions share a commit:
 * rows in order of arrival and an index.
 */
type FloorLayout = 'clustered' | 'appended';

export function openFloorStore(file: string, layout: FloorLayout): FloorStore {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  // The store's own settings, so that neither side gains by checkpointing less often.
  database.pragma('wal_autocheckpoint = 4000');
  database.pragma('journal_size_limit = 67108864');
  database.pragma('cache_size = -16000');
  database.exec(layouts[layout]);
  const insert = database.prepare('INSERT INTO events (session, seq, body) VALUES (?, ?, ?)');
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  return {
    database,
    begin: () => void begin.run(),
    append: (session, seq, body) => void insert.run(session, seq, body),
    commit: () => void commit.run(),
    [Symbol.dispose]: () => void database.close(),
  };
}

const layouts: Readonly<Record<FloorLayout, string>> = {
  clustered:
    'CREATE TABLE IF NOT EXISTS events (session TEXT, seq INTEGER, body TEXT, PRIMARY KEY (session, seq)) WITHOUT ROWID',
  appended: `
    CREATE TABLE IF NOT EXISTS events (position INTEGER PRIMARY KEY, session TEXT, seq INTEGER, body TEXT);
    CREATE UNIQUE INDEX IF NOT EXISTS events_by_session ON events (session, seq)`,
};
