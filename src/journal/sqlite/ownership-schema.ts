/**
 * The migration to lease counters and claim handles (`fleet.md`, O1–O11). Ownership means something else before and
 * after it, so it refuses while a process of an older Rondo owns sessions, and older versions can't open the file
 * afterwards.
 */
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { isDead, isSameMachine, ownIdentity } from '../process-identity.ts';
import { sessionsForkedIn } from '../references.ts';
import type { Driver } from './driver.ts';

interface OldProcess {
  readonly pid: number;
  readonly started_at: string;
  readonly boot_id: string;
  readonly host: string;
  readonly expires_at: number;
}

export function addOwnership(db: Driver, path: string): void {
  refuseWhileOwned(db, path);
  db.exec(columns);
  for (const { id, body } of db.all<{ id: SessionId; body: string }>(selectForks)) {
    for (const origin of sessionsForkedIn(id, body)) db.run(insertReference, origin, id);
  }
}

function refuseWhileOwned(db: Driver, path: string): void {
  const self = ownIdentity();
  for (const row of db.all<OldProcess>('SELECT * FROM processes')) {
    const other = { pid: row.pid, startedAt: row.started_at, bootId: row.boot_id, host: row.host };
    // An older Rondo on another machine: its lease was a time of day.
    const isGone = isSameMachine(other, self) ? isDead(other, self) : row.expires_at < Date.now();
    if (isGone) continue;
    throw new Fault(
      'busy',
      `Can't open ${path}: it has to be upgraded, and process ${row.pid} on ${row.host} is still working on it with an ` +
        'older Rondo. Nothing was changed. Stop that process and try again.',
    );
  }
}

const columns = `
  ALTER TABLE processes ADD COLUMN beat INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN unclean INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN fences INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sessions ADD COLUMN left_open INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX sessions_left_open ON sessions (number) WHERE left_open = 1;
  ALTER TABLE directory ADD COLUMN in_flight INTEGER NOT NULL DEFAULT 0;
  UPDATE directory SET in_flight = 1 WHERE state IN ('running', 'cancelling');
  UPDATE sessions SET left_open = 1 WHERE owner IS NULL
    AND number IN (SELECT session FROM directory WHERE in_flight = 1);
  DROP INDEX directory_unfinished;
  ALTER TABLE handovers ADD COLUMN within_ms INTEGER;
  ALTER TABLE inbox ADD COLUMN buried TEXT;
  CREATE INDEX inbox_buried ON inbox (id) WHERE buried IS NOT NULL;
  CREATE TABLE fork_references (
    origin TEXT NOT NULL,
    session TEXT NOT NULL,
    PRIMARY KEY (origin, session)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX fork_references_by_session ON fork_references (session);
`;

const selectForks = `
  SELECT sessions.id, records.body FROM records JOIN sessions ON sessions.number = records.session
  WHERE records.first = 1 AND instr(records.body, '"type":"session-forked"') > 0`;

export const insertReference = 'INSERT OR IGNORE INTO fork_references (origin, session) VALUES (?, ?)';
