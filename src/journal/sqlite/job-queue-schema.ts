import type { Driver } from './driver.ts';

const jobsWithoutLeases = `
  CREATE INDEX jobs_under_way ON jobs (worker, state, provider, owner)
    WHERE state IN ('running', 'waiting', 'stalled');
  CREATE INDEX jobs_active ON jobs (place) WHERE ended_at IS NULL;`;

/** `body` holds the whole row; the other columns are for queries. */
export const jobQueueSchema = `
  CREATE TABLE IF NOT EXISTS workers (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    parent TEXT,
    session TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS workers_by_parent ON workers (parent, name);
  CREATE INDEX IF NOT EXISTS workers_by_session ON workers (session) WHERE session IS NOT NULL;

  CREATE TABLE IF NOT EXISTS jobs (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key TEXT UNIQUE,
    worker TEXT NOT NULL,
    parent TEXT,
    state TEXT NOT NULL,
    priority INTEGER NOT NULL,
    ready INTEGER NOT NULL,
    provider TEXT,
    filed_by TEXT NOT NULL,
    owner TEXT,
    deadline INTEGER,
    ended_at INTEGER,
    archived INTEGER NOT NULL,
    dead INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS jobs_ready ON jobs (priority, place) WHERE ready = 1;
  CREATE INDEX IF NOT EXISTS jobs_queued ON jobs (priority, deadline) WHERE state = 'queued';
  CREATE INDEX IF NOT EXISTS jobs_by_worker ON jobs (worker, archived, ended_at);
  CREATE INDEX IF NOT EXISTS jobs_by_parent ON jobs (parent) WHERE parent IS NOT NULL;
  CREATE INDEX IF NOT EXISTS jobs_dead ON jobs (place) WHERE dead = 1;
  ${jobsWithoutLeases}

  CREATE TABLE IF NOT EXISTS queue_changes (number INTEGER NOT NULL) STRICT;
  INSERT INTO queue_changes (number) VALUES (0);

  CREATE TABLE IF NOT EXISTS job_dependencies (
    after TEXT NOT NULL,
    job TEXT NOT NULL,
    PRIMARY KEY (after, job)
  ) STRICT, WITHOUT ROWID;
`;

/** Removes job leases, and indexes unfinished jobs. */
export function dropJobLeases(db: Driver): void {
  if (db.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'jobs'`) === undefined) return;
  db.exec(`DROP INDEX IF EXISTS jobs_under_way; ALTER TABLE jobs DROP COLUMN lease_until; ${jobsWithoutLeases}`);
}
