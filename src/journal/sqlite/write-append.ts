import type { AppendAnswer, Creation, KeptKey } from '../journal.ts';
import { blobsNamedIn } from '../references.ts';
import { findRepeatedKey } from '../repeated-key.ts';
import type { Driver } from './driver.ts';
import type { SessionHead } from './session-heads.ts';
import { ownNumber } from './write-lease.ts';
import { missingBlobs, referToBlobs } from './write-blobs.ts';
import type { AppendOp, EntryTuple, ProjectionTuple } from './writer-protocol.ts';
import type { Writing } from './writing.ts';

/** The sequence reached, or why nothing was written. Everything is checked before anything is written. */
export function writeAppend(writing: Writing, op: AppendOp): number | AppendAnswer {
  const [, session, epoch, expected, records, projection, creation, lost = none] = op;
  const { db, heads } = writing;
  const known = heads.find(session);
  const refusal = refuse(writing, op, known);
  if (refusal !== undefined) return refusal;
  const blobs = records.flatMap(([, , , body]) => blobsNamedIn(body));
  const missing = blobs.length === 0 ? none : missingBlobs(writing, blobs).filter((hash) => !lost.includes(hash));
  if (missing.length > 0) return { type: 'blob-missing', hashes: [...new Set(missing)] };
  const head = known ?? claimNew(writing, session, epoch);
  if (head === undefined) return { type: 'fenced', epoch: 0 };
  let seq = expected;
  for (const [first, last, checksum, body, key, digest] of records) {
    writing.newest = db.insert(insertRecord, head.number, first, last, checksum, body);
    if (key !== null) db.run(insertKey, head.number, key, digest, first);
    seq = last;
  }
  if (blobs.length > 0) referToBlobs(writing, head.number, blobs);
  if (creation !== null) db.run(insertCreation, ...creation, session);
  if (projection !== null) writeProjection(writing, head, projection);
  head.seq = seq;
  return seq;
}

function refuse({ db }: Writing, op: AppendOp, head: SessionHead | undefined): AppendAnswer | undefined {
  const [, , epoch, expected, records, , creation] = op;
  const { epoch: current, seq, damage } = head ?? { epoch: 0, seq: 0 };
  // A session that nobody claimed yet is claimed by its first append.
  if (epoch !== (current || 1)) return { type: 'fenced', epoch: current };
  if (damage !== undefined) return { type: 'damaged', damage };
  if (expected !== seq) return { type: 'conflict', seq };
  const before = creation === null ? undefined : db.get<Creation>(selectCreation, creation[0]);
  if (before !== undefined) return { type: 'created-before', ...before };
  if (records.every(([, , , , key]) => key === null)) return undefined;
  return findRepeatedKey(
    records.map(([first, , , , key, digest]) => ({ first, key: key ?? undefined, digest: digest ?? undefined })),
    (key) => head && db.get<KeptKey>(selectKey, head.number, key),
  );
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

/** Names no column that is as it was: each one named costs the indexes it stands in. */
function writeEntry(db: Driver, head: SessionHead, entry: EntryTuple): void {
  const [updatedAt, body, state, agent, parent, title] = entry;
  const { number, shown } = head;
  const isListed =
    shown !== undefined && shown.agent === agent && shown.parent === parent && shown.title === title;
  if (isListed && shown.state === state && db.run(updateEntry, updatedAt, body, number) > 0) return;
  head.shown = { state, agent, parent, title };
  if (isListed && db.run(updateEntryAndState, updatedAt, body, state, number) > 0) return;
  db.run(upsertEntry, number, head.id, ...entry);
}

const none: readonly never[] = [];

export const selectCreation = 'SELECT session, digest FROM creations WHERE key = ?';
const insertCreation = 'INSERT INTO creations (key, digest, session) VALUES (?, ?, ?)';
const insertRecord = 'INSERT INTO records (session, first, last, checksum, body) VALUES (?, ?, ?, ?, ?)';
const insertKey = 'INSERT INTO keys (session, key, digest, seq) VALUES (?, ?, ?, ?)';
const selectKey = 'SELECT digest, seq FROM keys WHERE session = ? AND key = ?';
const updateEntry = 'UPDATE directory SET updated_at = ?, entry = ? WHERE session = ?';
const updateEntryAndState = 'UPDATE directory SET updated_at = ?, entry = ?, state = ? WHERE session = ?';
const upsertEntry = `
  INSERT INTO directory (session, id, updated_at, entry, state, agent, parent, title, origin)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session) DO UPDATE SET updated_at = excluded.updated_at, entry = excluded.entry,
    state = excluded.state, agent = excluded.agent, parent = excluded.parent, title = excluded.title,
    origin = excluded.origin`;
const upsertQuestion = `
  INSERT INTO questions (session, id, opened_at, type, about) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET opened_at = excluded.opened_at, type = excluded.type, about = excluded.about`;
