/** Rows are whole in `body`; beside it stands what is searched by. */
export const jobQueueSchema = `
  CREATE TABLE workers (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    parent TEXT,
    session TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX workers_by_parent ON workers (parent, name);
  CREATE INDEX workers_by_session ON workers (session) WHERE session IS NOT NULL;

  CREATE TABLE jobs (
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
    lease_until INTEGER,
    deadline INTEGER,
    ended_at INTEGER,
    archived INTEGER NOT NULL,
    dead INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX jobs_ready ON jobs (priority, place) WHERE ready = 1;
  CREATE INDEX jobs_queued ON jobs (priority, deadline) WHERE state = 'queued';
  CREATE INDEX jobs_under_way ON jobs (worker, state, provider, owner, lease_until)
    WHERE state IN ('running', 'waiting', 'stalled');
  CREATE INDEX jobs_by_worker ON jobs (worker, archived, ended_at);
  CREATE INDEX jobs_by_parent ON jobs (parent) WHERE parent IS NOT NULL;
  CREATE INDEX jobs_dead ON jobs (place) WHERE dead = 1;

  CREATE TABLE queue_changes (number INTEGER NOT NULL) STRICT;
  INSERT INTO queue_changes (number) VALUES (0);

  CREATE TABLE job_dependencies (
    after TEXT NOT NULL,
    job TEXT NOT NULL,
    PRIMARY KEY (after, job)
  ) STRICT, WITHOUT ROWID;
`;
