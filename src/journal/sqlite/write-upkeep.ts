/** The maintenance operations inside a transaction. */
import type { UpkeepAnswer } from '../../ports/upkeep.ts';
import type { SessionHead } from './session-heads.ts';
import { hasTable, makeTable } from './tables-on-demand.ts';
import { writeProjection } from './write-append.ts';
import { dropReferences } from './write-blobs.ts';
import type { UpkeepOp } from './writer-protocol.ts';
import type { Writing } from './writing.ts';

export function writeUpkeep(writing: Writing, op: UpkeepOp): UpkeepAnswer {
  const { db, heads } = writing;
  switch (op[0]) {
    case 'remove': {
      const head = ownedAs(writing, op);
      if (head === undefined || db.get(selectLetter, head.id) !== undefined) return 'changed';
      // A fork made in between needs this journal (O11).
      const forks = db.all<{ session: string }>(selectReferring, head.id);
      if (forks.some(({ session }) => !op[4].includes(session))) return 'changed';
      // Positions must keep rising even if the newest record is removed, because others watch them.
      writing.newest = db.insert(markPosition);
      unindex(writing, head, 0);
      dropReferences(writing, head.number);
      for (const table of ['records', 'keys', 'directory', 'questions', 'snapshots', 'handovers']) {
        db.run(`DELETE FROM ${table} WHERE session = ?`, head.number);
      }
      for (const table of ['inbox', 'creations', 'hosted', 'fork_references'])
        db.run(`DELETE FROM ${table} WHERE session = ?`, head.id);
      db.run('DELETE FROM sessions WHERE number = ?', head.number);
      heads.forget(head.id);
      return 'done';
    }
    case 'set-aside': {
      const [, , , , from, reason] = op;
      const head = ownedAs(writing, op);
      if (head === undefined) return 'changed';
      const kept = db.get<{ last: number | null }>(selectKept, head.number, from)?.last ?? 0;
      db.run(insertAside, head.id, reason, writing.now, head.number, from);
      unindex(writing, head, from);
      db.run(markPosition);
      db.run('DELETE FROM records WHERE session = ? AND first >= ?', head.number, from);
      db.run('DELETE FROM keys WHERE session = ? AND seq >= ?', head.number, from);
      db.run('DELETE FROM snapshots WHERE session = ? AND seq > ?', head.number, kept);
      db.run(
        'UPDATE sessions SET least_seq = ?, damage_seq = NULL, damage_reason = NULL WHERE number = ?',
        kept,
        head.number,
      );
      heads.forget(head.id);
      return 'done';
    }
    case 'show': {
      const [, session, seq, projection] = op;
      const head = heads.find(session);
      if (head === undefined || head.seq !== seq) return 'changed';
      db.run('DELETE FROM directory WHERE session = ?', head.number);
      delete head.shown;
      db.run('DELETE FROM questions WHERE session = ?', head.number);
      writeProjection(writing, head, projection);
      return 'done';
    }
    case 'index': {
      const [, upTo, rows] = op;
      makeTable(db, 'search');
      for (const [position, text] of rows) {
        // Removed or indexed by another process in between.
        if (db.get('SELECT 1 FROM records WHERE position = ?', position) === undefined) continue;
        db.run('DELETE FROM search WHERE rowid = ?', position);
        db.run('INSERT INTO search (rowid, text) VALUES (?, ?)', position, text);
      }
      // Not `indexed_to` of earlier versions, whose index covered only the start of long texts.
      db.run(
        `INSERT INTO facts (name, value) VALUES ('searched_to', ?)
         ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
        upTo,
      );
      return 'done';
    }
  }
}

/** The session, if this process owns it with this epoch and nothing was written since. */
function ownedAs(
  { db, heads, self }: Writing,
  [, session, epoch, seq]: Extract<UpkeepOp, readonly ['remove' | 'set-aside', ...unknown[]]>,
): SessionHead | undefined {
  const head = heads.find(session);
  const own = db.get<{ number: number }>(
    'SELECT number FROM processes WHERE id = ? AND taken = 0',
    self.id,
  )?.number;
  const isOurs = head !== undefined && own !== undefined && head.owner === own && head.epoch === epoch;
  return isOurs && head.seq === seq ? head : undefined;
}

function unindex({ db }: Writing, { number }: SessionHead, from: number): void {
  if (hasTable(db, 'search')) db.run(deleteIndexed, number, from);
}

const deleteIndexed =
  'DELETE FROM search WHERE rowid IN (SELECT position FROM records WHERE session = ? AND first >= ?)';
const markPosition = `
  INSERT OR REPLACE INTO records (session, first, last, checksum, body) VALUES (0, 0, 0, 0, '')`;
const selectLetter = 'SELECT 1 FROM inbox WHERE session = ? AND answer IS NULL LIMIT 1';
const selectReferring = 'SELECT session FROM fork_references WHERE origin = ?';
const selectKept = 'SELECT max(last) AS last FROM records WHERE session = ? AND first < ?';
const insertAside = `
  INSERT INTO set_aside (session, first, last, checksum, body, reason, at)
  SELECT ?, first, last, checksum, body, ?, ? FROM records WHERE session = ? AND first >= ?`;
