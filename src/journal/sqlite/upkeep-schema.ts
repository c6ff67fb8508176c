/**
 * Tables of upkeep: records taken out of damaged journals, versions that wrote here, and search.
 *
 * `least_schema` is the oldest schema whose Rondo may still work on this file: a step that only adds
 * leaves it, so that going back by one version works; a step that changes what is there raises it.
 *
 * The index of search holds no text of its own: its rows are named by the position of their record.
 */
export const upkeepSchema = `
  CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO facts (name, value) VALUES ('least_schema', 3), ('indexed_to', 0);

  CREATE TABLE set_aside (
    number INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    body TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE writers (
    position INTEGER PRIMARY KEY,
    version TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;

  CREATE VIRTUAL TABLE search USING fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  `;
