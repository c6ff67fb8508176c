/** The owners' part of a transaction. See rules 6 and 7 of the architecture. */
import type { ClaimAnswer, Owner } from '../lease.ts';
import { releaseOwnJobs } from './release-own-jobs.ts';
import { hasTable } from './tables-on-demand.ts';
import type { Writing } from './writing.ts';

/** Number of this process among the owners, filed when it first owns something; `lost` when its lease was taken. */
export function ownNumber({ db, self, now, leaseMs }: Writing): number | 'lost' {
  const row = db.get<{ number: number; taken: number }>(selectOwn, self.id);
  if (row !== undefined) return row.taken === 0 ? row.number : 'lost';
  // Processes that were killed while they owned nothing are of interest to nobody.
  db.run(hasTable(db, 'jobs') ? `${deleteIdle} AND ${ownsNoJob}` : deleteIdle, now);
  const { id, pid, startedAt, bootId, host } = self;
  return db.get<{ number: number }>(insertProcess, id, pid, startedAt, bootId, host, now + leaseMs)?.number ?? 0;
}

/** `gone` names the owner that the caller found dead or lapsed; anybody else keeps the session. */
export function writeClaim(writing: Writing, session: string, gone: string | null): ClaimAnswer | 'lost' {
  const { db, heads } = writing;
  const own = ownNumber(writing);
  if (own === 'lost') return 'lost';
  const head = heads.find(session) ?? heads.create(session, { epoch: 0, owner: null });
  if (head.owner === own) return { type: 'claimed', epoch: head.epoch };
  const holder = head.owner === null ? undefined : db.get<ProcessRow>(selectProcess, head.owner);
  if (holder !== undefined && holder.taken === 0 && holder.id !== gone)
    return { type: 'held', owner: ownerOf(holder) };
  db.run('UPDATE sessions SET owner = ?, epoch = epoch + 1 WHERE number = ?', own, head.number);
  db.run('DELETE FROM handovers WHERE session = ?', head.number);
  heads.forget(session);
  if (holder !== undefined) forgetProcess(writing, holder.number);
  const epoch = head.epoch + 1;
  return { type: 'claimed', epoch, ...(holder !== undefined && { previous: ownerOf(holder) }) };
}

export type ReleaseAnswer = 'not-owned' | 'released' | 'handed-over';

export function writeRelease({ db, heads, self }: Writing, session: string, epoch: number): ReleaseAnswer {
  const head = heads.find(session);
  const own = db.get<{ number: number }>(selectOwn, self.id)?.number;
  if (head === undefined || head.epoch !== epoch || own === undefined || head.owner !== own) {
    return 'not-owned';
  }
  db.run(`UPDATE sessions SET owner = NULL, least_seq = max(least_seq, ${newest}) WHERE number = ?`, head.number);
  heads.forget(session);
  return db.run('DELETE FROM handovers WHERE session = ?', head.number) > 0 ? 'handed-over' : 'released';
}

export function writeRenewal(writing: Writing): 'renewed' | 'lost' {
  const { db, self, now, leaseMs } = writing;
  if (db.run(renewProcess, now + leaseMs, self.id) > 0) return 'renewed';
  writeLeave(writing);
  return 'lost';
}

/** Everything this process owns is free. */
export function writeLeave(writing: Writing): null {
  const { db, heads, self } = writing;
  releaseOwnJobs(writing);
  const own = db.get<{ number: number }>(selectOwn, self.id)?.number;
  if (own === undefined) return null;
  heads.reset();
  db.run('DELETE FROM handovers WHERE session IN (SELECT number FROM sessions WHERE owner = ?)', own);
  db.run(`UPDATE sessions SET owner = NULL, least_seq = max(least_seq, ${newest}) WHERE owner = ?`, own);
  db.run('DELETE FROM processes WHERE number = ?', own);
  return null;
}

/** True where there is an owner to ask. */
export function writeHandOver(writing: Writing, session: string): boolean {
  const head = writing.heads.find(session);
  if (head === undefined || head.owner === null) return false;
  if (head.owner === writing.db.get<{ number: number }>(selectOwn, writing.self.id)?.number) return false;
  writing.db.run('INSERT INTO handovers (session) VALUES (?) ON CONFLICT DO NOTHING', head.number);
  return true;
}

/** A process from which something was taken has lost its lease; its row goes with the last session it owned. */
function forgetProcess({ db }: Writing, number: number): void {
  const owns = db.get('SELECT 1 FROM sessions WHERE owner = ? LIMIT 1', number) !== undefined;
  if (owns) db.run('UPDATE processes SET taken = 1 WHERE number = ?', number);
  else db.run('DELETE FROM processes WHERE number = ?', number);
}

export interface ProcessRow {
  readonly number: number;
  readonly id: string;
  readonly pid: number;
  readonly started_at: string;
  readonly boot_id: string;
  readonly host: string;
  readonly expires_at: number;
  readonly taken: number;
}

export function ownerOf({ id, pid, started_at: startedAt, boot_id: bootId, host }: ProcessRow): Owner {
  return { id, pid, startedAt, bootId, host };
}

/** How far a session has come. */
const newest = `
  coalesce((SELECT last FROM records WHERE session = number ORDER BY first DESC LIMIT 1), 0)`;
const selectOwn = 'SELECT number, taken FROM processes WHERE id = ?';
const selectProcess = 'SELECT * FROM processes WHERE number = ?';
const renewProcess = 'UPDATE processes SET expires_at = ? WHERE id = ? AND taken = 0';
const deleteIdle = `
  DELETE FROM processes
  WHERE expires_at < ? AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.owner = processes.number)`;
const ownsNoJob = `NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.owner = processes.id AND jobs.ended_at IS NULL)`;
const insertProcess = `
  INSERT INTO processes (id, pid, started_at, boot_id, host, expires_at, taken)
  VALUES (?, ?, ?, ?, ?, ?, 0) RETURNING number`;
