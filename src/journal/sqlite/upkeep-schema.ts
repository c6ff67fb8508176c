/**
 * Maintenance tables: records set aside from damaged journals, and versions that wrote here.
 *
 * `least_schema` is the oldest schema whose Rondo may still use this file. A step that only adds leaves it
 * unchanged, so that a downgrade by one version works; a step that changes existing data raises it.
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
  `;
