/** The nodes' and documents' part of a transaction; see `nodes.ts` and `documents.ts`. */
import type { Driver } from './driver.ts';
import type { GoneOwner, ProcessRow, RegisterWritten } from '../process-row.ts';
import { ownNumber } from './write-lease.ts';
import type { Writing } from './writing.ts';

export type NodeWrite =
  /** `gone`: the name's previous owner, which the caller found gone. */
  | readonly ['register', name: string, isDraining: boolean, entry: string, gone: GoneOwner | null]
  | readonly ['drain', name: string]
  | readonly ['leave'];

export function writeNode(writing: Writing, write: NodeWrite): RegisterWritten | null {
  const { db, self } = writing;
  switch (write[0]) {
    case 'register':
      return register(writing, write);
    case 'drain':
      db.run('UPDATE nodes SET draining = 1 WHERE name = ?', write[1]);
      return null;
    case 'leave':
      db.run('DELETE FROM nodes WHERE owner = ?', self.id);
      return null;
  }
}

function register(
  writing: Writing,
  [, name, isDraining, entry, gone]: Extract<NodeWrite, readonly ['register', ...unknown[]]>,
): RegisterWritten {
  const { db, self } = writing;
  if (ownNumber(writing) === 'lost') return 'lost';
  const holder = db.get<ProcessRow>(selectHolder, name, self.id);
  const isGone = holder?.taken === 1 || (gone !== null && holder?.id === gone[0] && holder.beat === gone[1]);
  if (holder !== undefined && !isGone) return 'name-taken';
  db.run('DELETE FROM nodes WHERE owner = ? OR owner NOT IN (SELECT id FROM processes)', self.id);
  db.run(insertNode, name, self.id, isDraining ? 1 : 0, entry);
  return 'registered';
}

/** True if the document was written. */
export function writeDocument({ db }: Writing, name: string, body: string, seen: number): boolean {
  if (seen > 0) return db.run(updateDocument, body, name, seen) > 0;
  return db.run(insertDocument, name, body) > 0;
}

/** True if this process was marked as draining. */
export function isMarkedDraining(db: Driver, owner: string): boolean {
  return db.get('SELECT 1 FROM nodes WHERE owner = ? AND draining = 1', owner) !== undefined;
}

/** The living or dead process, other than this one, that has the name. */
const selectHolder = `
  SELECT processes.* FROM nodes JOIN processes ON processes.id = nodes.owner
  WHERE nodes.name = ? AND nodes.owner <> ?`;
const insertNode = 'INSERT OR REPLACE INTO nodes (name, owner, draining, entry) VALUES (?, ?, ?, ?)';
const updateDocument = 'UPDATE documents SET body = ?, version = version + 1 WHERE name = ? AND version = ?';
const insertDocument = 'INSERT OR IGNORE INTO documents (name, version, body) VALUES (?, 1, ?)';
