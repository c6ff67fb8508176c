/**
 * Servers that share this store, and small documents that they share. `least_reader` is the oldest reader version
 * (`reader-version.ts`) that can open a session.
 */
export const nodesSchema = `
  CREATE TABLE nodes (
    name TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL UNIQUE,
    draining INTEGER NOT NULL,
    entry TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE documents (
    name TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE sessions ADD COLUMN least_reader INTEGER NOT NULL DEFAULT 1;
  `;
