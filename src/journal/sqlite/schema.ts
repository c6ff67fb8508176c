/**
 * The schema as numbered steps: step n brings version n - 1 to n. Released steps are never edited.
 *
 * Records are appended by rowid and found by an index: clustering by session would touch one page per session and
 * commit. For the same reason an append changes no row of `sessions`: the newest record shows how far a session is,
 * and `least_seq`, updated now and then, how far at least, so that a missing end shows.
 */
import type { Driver } from './driver.ts';
import { hostingSchema } from './hosting-schema.ts';
import { dropJobLeases } from './job-queue-schema.ts';
import { nodesSchema } from './nodes-schema.ts';
import { addOwnership } from './ownership-schema.ts';
import { upkeepSchema } from './upkeep-schema.ts';

/** The job queue's tables, now created with their first row; see `tables-on-demand.ts`. */
const madeOnDemand = '';

/** A script, or code that depends on the file's content. */
export type SchemaStep = string | ((db: Driver, at: StepPlace) => void);

interface StepPlace {
  /** The version after this step. */
  readonly version: number;
  readonly path: string;
}

export const schemaSteps: readonly SchemaStep[] = [
  `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    least_seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    owner INTEGER,
    due INTEGER,
    damage_seq INTEGER,
    damage_reason TEXT
  ) STRICT;
  CREATE INDEX sessions_by_owner ON sessions (owner) WHERE owner IS NOT NULL;
  CREATE INDEX sessions_by_due ON sessions (due) WHERE due IS NOT NULL;

  CREATE TABLE records (
    position INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX records_by_session ON records (session, first);

  CREATE TABLE keys (
    session INTEGER NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (session, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE directory (
    session INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    updated_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    agent TEXT NOT NULL,
    parent TEXT,
    title TEXT NOT NULL,
    entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX directory_by_time ON directory (updated_at DESC, id);
  CREATE INDEX directory_by_parent ON directory (parent) WHERE parent IS NOT NULL;
  CREATE INDEX directory_unfinished ON directory (id) WHERE state IN ('running', 'waiting', 'cancelling');

  CREATE TABLE questions (
    id TEXT NOT NULL PRIMARY KEY,
    session INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    type TEXT NOT NULL,
    about TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX questions_by_session ON questions (session);

  CREATE TABLE snapshots (
    session INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE processes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    pid INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    host TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    taken INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE handovers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE inbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    answer TEXT,
    settled_at INTEGER
  ) STRICT;
  CREATE INDEX inbox_unsettled ON inbox (session, id) WHERE answer IS NULL;
  CREATE INDEX inbox_settled ON inbox (settled_at) WHERE settled_at IS NOT NULL;
  `,
  madeOnDemand,
  upkeepSchema,
  hostingSchema,
  `
  CREATE INDEX directory_by_origin ON directory (json_extract(entry, '$.origin.session'))
    WHERE json_extract(entry, '$.origin.session') IS NOT NULL;
  `,
  // A column, because an index on an expression would read the entry twice per append.
  `
  ALTER TABLE directory ADD COLUMN origin TEXT;
  UPDATE directory SET origin = json_extract(entry, '$.origin.session') WHERE instr(entry, '"origin"') > 0;
  DROP INDEX directory_by_origin;
  CREATE INDEX directory_by_origin ON directory (origin) WHERE origin IS NOT NULL;
  UPDATE facts SET value = 6 WHERE name = 'least_schema';
  `,
  (db, { version, path }) => {
    addOwnership(db, path);
    dropJobLeases(db);
    db.run(`UPDATE facts SET value = ? WHERE name = 'least_schema'`, version);
  },
  nodesSchema,
];
