import type { SessionId } from '../../kernel/ids.ts';
import type { AppendAnswer, Creation, KeptKey } from '../../ports/journal.ts';
import { blobsNamedIn, sessionsForkedIn } from '../references.ts';
import { findRepeatedKey } from '../repeated-key.ts';
import type { Driver } from './driver.ts';
import { insertReference } from './ownership-schema.ts';
import type { SessionHead } from './session-heads.ts';
import { ownNumber } from './write-lease.ts';
import { missingBlobs, referToBlobs } from './write-blobs.ts';
import type { EntryTuple, ProjectionTuple } from '../projection-tuple.ts';
import type { AppendOp } from './writer-protocol.ts';
import type { Writing } from './writing.ts';

export type AppendRefusal = Exclude<AppendAnswer, { type: 'appended' }>;

/** The new sequence, or why nothing was written. Everything is checked before anything is written. */
export function writeAppend(writing: Writing, op: AppendOp): number | AppendRefusal {
  const [, session, epoch, expected, records, projection, creation, settles, recovered, , lost, leastReader] = op;
  const { db, heads } = writing;
  const existing = heads.find(session);
  const refusal = refuse(writing, op, existing);
  if (refusal !== undefined)
    return refusal.type === 'conflict' && isRepeat(writing, op, existing) ? lastOf(records) : refusal;
  const blobs = records.flatMap(([, , , body]) => blobsNamedIn(body));
  const missing =
    blobs.length === 0 ? none : missingBlobs(writing, blobs).filter((hash) => lost?.includes(hash) !== true);
  if (missing.length > 0) return { type: 'blob-missing', hashes: [...new Set(missing)] };
  const head = existing ?? claimNew(writing, session, epoch);
  if (head === undefined) return { type: 'fenced', epoch: 0 };
  let seq = expected;
  for (const [first, last, checksum, body, key, digest] of records) {
    writing.newest = db.insert(insertRecord, head.number, first, last, checksum, body);
    if (key !== null) db.run(insertKey, head.number, key, digest, first);
    seq = last;
  }
  if (blobs.length > 0) referToBlobs(writing, head.number, blobs);
  if (creation !== null) db.run(insertCreation, ...creation, session);
  if (expected === 0) writeReferences(db, session, records[0]?.[3] ?? '');
  if (recovered) db.run('UPDATE sessions SET unclean = 0 WHERE number = ?', head.number);
  if (leastReader !== null) db.run(raiseLeastReader, leastReader, head.number);
  if (projection !== null) writeProjection(writing, head, projection);
  for (const [letter, answer] of settles ?? none) db.run(settleLetter, answer, writing.now, letter);
  if (settles !== null) db.run(deleteSettled, writing.now - answersKeptMs, answersKept);
  head.seq = seq;
  return seq;
}

function refuse({ db }: Writing, op: AppendOp, head: SessionHead | undefined): AppendRefusal | undefined {
  const [, , epoch, expected, records, , creation, , , refersTo] = op;
  const { epoch: current, seq, damage } = head ?? { epoch: 0, seq: 0 };
  // The first append claims a session without an owner.
  if (epoch !== (current || 1)) return { type: 'fenced', epoch: current };
  if (damage !== undefined) return { type: 'damaged', damage };
  if (expected !== seq) return { type: 'conflict', seq };
  const missing = refersTo?.find((origin) => db.get(selectThere, origin) === undefined);
  if (missing !== undefined) return { type: 'origin-missing', session: missing as SessionId };
  const before = creation === null ? undefined : db.get<Creation>(selectCreation, creation[0]);
  if (before !== undefined) return { type: 'created-before', ...before };
  if (records.every(([, , , , key]) => key === null)) return undefined;
  return findRepeatedKey(
    records.map(([first, , , , key, digest]) => ({ first, key: key ?? undefined, digest: digest ?? undefined })),
    (key) => head && db.get<KeptKey>(selectKey, head.number, key),
  );
}

/**
 * Whether the append was written before and its answer was lost (O16). The epoch is current, and only its owner
 * writes under it, one append at a time. So the same bytes at the same place are its own.
 */
function isRepeat(
  writing: Writing,
  [, , , , records, , , , , , , , mayRepeat]: AppendOp,
  head: SessionHead | undefined,
): boolean {
  const { db } = writing;
  if (!mayRepeat || records.length === 0 || head === undefined) return false;
  // Two processes may create a session with the same id: epoch 1 alone doesn't say whose it is.
  const owner = db.get<{ owner: number | null }>(
    'SELECT owner FROM sessions WHERE number = ?',
    head.number,
  )?.owner;
  if (owner !== ownNumber(writing)) return false;
  return records.every(([first, , , body]) => {
    return db.get<{ body: string }>(selectRecord, head.number, first)?.body === body;
  });
}

const lastOf = (records: AppendOp[4]) => records.at(-1)?.[1] ?? 0;

/** A fork's origin is kept as long as the fork. */
function writeReferences(db: Driver, session: string, firstBody: string): void {
  for (const origin of sessionsForkedIn(session as SessionId, firstBody)) db.run(insertReference, origin, session);
}

function claimNew(writing: Writing, session: string, epoch: number): SessionHead | undefined {
  const owner = ownNumber(writing);
  if (owner === 'lost') return undefined;
  return writing.heads.create(session, { epoch, owner });
}

export function writeProjection(
  { db }: Writing,
  head: SessionHead,
  [entry, opened, closed, due]: ProjectionTuple,
): void {
  if (entry !== null) writeEntry(db, head, entry);
  for (const question of opened ?? none) db.run(upsertQuestion, head.number, ...question);
  for (const id of closed ?? none) db.run('DELETE FROM questions WHERE id = ?', id);
  if (due !== null) db.run('UPDATE sessions SET due = ? WHERE number = ?', due[0], head.number);
}

/** Updates only changed columns, because each one costs its indexes. */
function writeEntry(db: Driver, head: SessionHead, entry: EntryTuple): void {
  const [updatedAt, body, state, agent, parent, title, , inFlight] = entry;
  const { number, shown } = head;
  const isListed =
    shown !== undefined && shown.agent === agent && shown.parent === parent && shown.title === title;
  const isSameState = isListed && shown.state === state && shown.inFlight === inFlight;
  if (isSameState && db.run(updateEntry, updatedAt, body, number) > 0) return;
  head.shown = { state, agent, parent, title, inFlight };
  if (isListed && db.run(updateEntryAndState, updatedAt, body, state, inFlight, number) > 0) return;
  db.run(upsertEntry, number, head.id, ...entry);
}

const none: readonly never[] = [];

/** How long answers to letters are kept for late senders. The newest stay in any case, because clocks change. */
const answersKeptMs = 3_600_000;
const answersKept = 1000;

export const selectCreation = 'SELECT session, digest FROM creations WHERE key = ?';
const selectThere = 'SELECT 1 FROM sessions WHERE id = ?';
const settleLetter = 'UPDATE inbox SET answer = ?, settled_at = ? WHERE id = ? AND answer IS NULL';
const deleteSettled = `
  DELETE FROM inbox WHERE settled_at < ? AND buried IS NULL AND id <= (SELECT max(id) FROM inbox) - ?`;
const raiseLeastReader = 'UPDATE sessions SET least_reader = max(least_reader, ?) WHERE number = ?';
const insertCreation = 'INSERT INTO creations (key, digest, session) VALUES (?, ?, ?)';
const selectRecord = 'SELECT body FROM records WHERE session = ? AND first = ?';
const insertRecord = 'INSERT INTO records (session, first, last, checksum, body) VALUES (?, ?, ?, ?, ?)';
const insertKey = 'INSERT INTO keys (session, key, digest, seq) VALUES (?, ?, ?, ?)';
const selectKey = 'SELECT digest, seq FROM keys WHERE session = ? AND key = ?';
const updateEntry = 'UPDATE directory SET updated_at = ?, entry = ? WHERE session = ?';
const updateEntryAndState =
  'UPDATE directory SET updated_at = ?, entry = ?, state = ?, in_flight = ? WHERE session = ?';
const upsertEntry = `
  INSERT INTO directory (session, id, updated_at, entry, state, agent, parent, title, origin, in_flight)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session) DO UPDATE SET updated_at = excluded.updated_at, entry = excluded.entry,
    state = excluded.state, agent = excluded.agent, parent = excluded.parent, title = excluded.title,
    origin = excluded.origin, in_flight = excluded.in_flight`;
const upsertQuestion = `
  INSERT INTO questions (session, id, opened_at, type, about) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET opened_at = excluded.opened_at, type = excluded.type, about = excluded.about`;
