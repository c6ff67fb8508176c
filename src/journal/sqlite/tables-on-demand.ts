/**
 * Tables that most stores never need, created with their first row, so that a small store stays small and opens at
 * once. Files from before schema 6 have them all.
 */
import type { Driver } from './driver.ts';
import { jobQueueSchema } from './job-queue-schema.ts';

export type OnDemand = 'jobs' | 'search' | 'blob_references';

/** Don't cache the result inside a transaction, which may be rolled back. */
export function hasTable(db: Driver, name: OnDemand): boolean {
  return db.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`, name) !== undefined;
}

/** Call inside a writer's transaction. */
export function makeTable(db: Driver, name: OnDemand): void {
  if (!hasTable(db, name)) db.exec(scripts[name]);
}

const scripts: Readonly<Record<OnDemand, string>> = {
  jobs: jobQueueSchema,
  // Which session names which blob, and which blobs a sweep found unreferenced.
  blob_references: `
    CREATE TABLE blob_references (
      hash TEXT NOT NULL,
      session INTEGER NOT NULL,
      PRIMARY KEY (hash, session)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX blob_references_by_session ON blob_references (session);

    CREATE TABLE blob_marks (
      hash TEXT NOT NULL PRIMARY KEY,
      at INTEGER NOT NULL,
      uptime INTEGER NOT NULL,
      boot TEXT NOT NULL,
      put_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;`,
  // The index holds no text: its rows are identified by their record's position.
  search: `
    CREATE VIRTUAL TABLE search USING fts5 (
      text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
    )`,
};
