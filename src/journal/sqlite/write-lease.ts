/** The owners' part of a transaction; see `lease.ts`. */
import {
  ownerOf,
  type ClaimWritten,
  type GoneOwner,
  type ProcessRow,
  type ReleaseAnswer,
} from '../process-row.ts';
import { refuseMoved } from '../moved-store.ts';
import { releaseOwnJobs } from './release-own-jobs.ts';
import { storeState } from './store-state.ts';
import { hasTable } from './tables-on-demand.ts';
import type { Writing } from './writing.ts';

/** This process's number, registered when it first owns something; `lost` if its lease was taken. */
export function ownNumber({ db, self, now, path }: Writing): number | 'lost' {
  const row = db.get<{ number: number; taken: number }>(selectOwn, self.id);
  if (row !== undefined) return row.taken === 0 ? row.number : 'lost';
  // A process that opened it before it was moved.
  refuseMoved(path, storeState(db));
  const { id, pid, startedAt, bootId, host } = self;
  return db.get<{ number: number }>(insertProcess, id, pid, startedAt, bootId, host, now)?.number ?? 0;
}

/**
 * Takes a session that is free, whose owner is `gone`, or whose handle this process lost. An owner that renewed
 * since keeps it.
 */
export function writeClaim(writing: Writing, session: string, gone: GoneOwner | null): ClaimWritten<unknown> {
  const { db, heads } = writing;
  const own = ownNumber(writing);
  if (own === 'lost') return 'lost';
  const head = heads.find(session) ?? heads.create(session, { epoch: 0, owner: null });
  const holder = head.owner === null ? undefined : db.get<ProcessRow>(selectProcess, head.owner);
  const isGone = holder?.taken === 1 || (gone !== null && holder?.id === gone[0] && holder.beat === gone[1]);
  if (holder !== undefined && holder.number !== own && !isGone) return { type: 'held', owner: ownerOf(holder) };
  const [unclean, fences] = holder === undefined ? ['unclean', 'fences'] : ['1', 'fences + 1'];
  const row = db.get<ClaimedRow>(
    `UPDATE sessions SET owner = ?, epoch = epoch + 1, left_open = 0, unclean = ${unclean}, fences = ${fences}
     WHERE number = ? RETURNING epoch, unclean, fences`,
    own,
    head.number,
  );
  db.run('DELETE FROM handovers WHERE session = ?', head.number);
  heads.forget(session);
  if (holder !== undefined && holder.number !== own) markTaken(writing, holder.number, gone?.[2] ?? false);
  const { epoch = 0, unclean: isUnclean = 0, fences: inRow = 0 } = row ?? {};
  return { type: 'claimed', epoch, isUnclean: isUnclean === 1, fences: inRow };
}

interface ClaimedRow {
  readonly epoch: number;
  readonly unclean: number;
  readonly fences: number;
}

/** Nothing of earlier owners is running, and this one made progress. */
export function writeCleaned({ db, heads }: Writing, session: string, epoch: number): null {
  const head = heads.find(session);
  if (head?.epoch === epoch) db.run('UPDATE sessions SET unclean = 0, fences = 0 WHERE number = ?', head.number);
  return null;
}

export function writeRelease(
  { db, heads, self }: Writing,
  session: string,
  { epoch, isUnclean }: { readonly epoch: number; readonly isUnclean: boolean },
): ReleaseAnswer {
  const head = heads.find(session);
  const own = db.get<{ number: number }>(selectOwn, self.id)?.number;
  if (head === undefined || head.epoch !== epoch || own === undefined || head.owner !== own) {
    return 'not-owned';
  }
  if (isUnclean) db.run('UPDATE sessions SET unclean = 1 WHERE number = ?', head.number);
  db.run(`${releaseSessions} WHERE number = ?`, head.number);
  heads.forget(session);
  return db.run('DELETE FROM handovers WHERE session = ?', head.number) > 0 ? 'handed-over' : 'released';
}

/** Returns the incremented count. */
export function writeRenewal({ db, self, now }: Writing): number | 'lost' {
  return db.get<{ beat: number }>(renewProcess, now, self.id)?.beat ?? 'lost';
}

/** Frees everything this process owns. What it didn't release must be cleaned up, as after a crash. */
export function writeLeave(writing: Writing): null {
  const { db, heads, self } = writing;
  releaseOwnJobs(writing);
  const own = db.get<{ number: number }>(selectOwn, self.id)?.number;
  if (own === undefined) return null;
  heads.reset();
  db.run('DELETE FROM handovers WHERE session IN (SELECT number FROM sessions WHERE owner = ?)', own);
  // Rejects writes still on their way from here.
  db.run('UPDATE sessions SET epoch = epoch + 1, unclean = 1, fences = fences + 1 WHERE owner = ?', own);
  db.run(`${freeSessions} WHERE owner = ?`, own);
  db.run('DELETE FROM processes WHERE number = ?', own);
  return null;
}

/** True if there is an owner to ask. */
export function writeHandOver(writing: Writing, session: string, withinMs: number | null): boolean {
  const head = writing.heads.find(session);
  if (head === undefined || head.owner === null) return false;
  if (head.owner === writing.db.get<{ number: number }>(selectOwn, writing.self.id)?.number) return false;
  writing.db.run(upsertHandOver, head.number, withinMs);
  return true;
}

/** Forgets a dead process that owns nothing. */
export function writeForgetProcess({ db }: Writing, [id, beat]: GoneOwner): null {
  db.run(hasTable(db, 'jobs') ? `${deleteIdle} AND ${ownsNoJob}` : deleteIdle, id, beat);
  return null;
}

/** A process from which something was taken lost its lease. If it lives, it learns this from its row. */
function markTaken({ db }: Writing, number: number, isDead: boolean): void {
  const owns = db.get('SELECT 1 FROM sessions WHERE owner = ? LIMIT 1', number) !== undefined;
  if (isDead && !owns) db.run('DELETE FROM processes WHERE number = ?', number);
  else db.run('UPDATE processes SET taken = 1 WHERE number = ?', number);
}

/** A session's newest sequence. */
const newest = `
  coalesce((SELECT last FROM records WHERE session = number ORDER BY first DESC LIMIT 1), 0)`;
const freeSessions = `
  UPDATE sessions SET owner = NULL, least_seq = max(least_seq, ${newest}),
    left_open = coalesce((SELECT in_flight FROM directory WHERE session = number), 0)`;
/** Releasing a clean session resets the count of owners that didn't. */
const releaseSessions = `${freeSessions}, fences = CASE unclean WHEN 1 THEN fences ELSE 0 END`;
const selectOwn = 'SELECT number, taken FROM processes WHERE id = ?';
const selectProcess = 'SELECT * FROM processes WHERE number = ?';
/** `expires_at` is for display only: the store's time at the last renewal. */
const renewProcess =
  'UPDATE processes SET beat = beat + 1, expires_at = ? WHERE id = ? AND taken = 0 RETURNING beat';
const deleteIdle = `
  DELETE FROM processes WHERE id = ? AND beat = ?
  AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.owner = processes.number)`;
const ownsNoJob = `NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.owner = processes.id AND jobs.ended_at IS NULL)`;
const insertProcess = `
  INSERT INTO processes (id, pid, started_at, boot_id, host, expires_at, taken)
  VALUES (?, ?, ?, ?, ?, ?, 0) RETURNING number`;
const upsertHandOver = `
  INSERT INTO handovers (session, within_ms) VALUES (?, ?)
  ON CONFLICT (session) DO UPDATE SET within_ms = excluded.within_ms`;
