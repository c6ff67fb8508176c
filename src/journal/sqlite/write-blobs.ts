/**
 * The blobs' part of a transaction. Referring to a blob and deleting one both happen under the file's write lock:
 * an append finds the blob and refers to it, or learns that it is missing.
 */
import { existsSync, rmSync, statSync } from 'node:fs';

import type { BlobHash } from '../../kernel/ids.ts';
import type { Swept } from '../../ports/blobs.ts';
import { fileOf } from '../file-blobs.ts';
import type { Driver } from './driver.ts';
import { hasTable, makeTable } from './tables-on-demand.ts';
import type { Writing } from './writing.ts';

export type BlobWrite =
  /** References of older records, up to a position. */
  | readonly ['refer', upTo: number, rows: readonly (readonly [hash: string, session: number])[]]
  | readonly [
      'mark',
      blobs: readonly PutBlob[],
      seen: { readonly at: number; readonly uptime: number; readonly boot: string },
    ]
  | readonly ['remove', blobs: readonly PutBlob[]];

type PutBlob = readonly [hash: string, putAt: number];

export function blobFolderOf(path: string): string {
  return `${path}.blobs`;
}

export function writeBlobs(writing: Writing, write: BlobWrite): Swept | null {
  const { db } = writing;
  makeTable(db, 'blob_references');
  switch (write[0]) {
    case 'refer': {
      const [, upTo, rows] = write;
      for (const [hash, session] of rows) db.run(referFromExisting, hash, session);
      db.run(noteReferred, upTo);
      return null;
    }
    case 'mark': {
      const [, blobs, { at, uptime, boot }] = write;
      for (const [hash, putAt] of blobs) db.run(replaceMark, hash, at, uptime, boot, putAt);
      return null;
    }
    case 'remove': {
      let blobs = 0;
      let bytes = 0;
      for (const [hash, putAt] of write[1]) {
        db.run('DELETE FROM blob_marks WHERE hash = ?', hash);
        const file = fileOf(blobFolderOf(writing.path), hash);
        const stats = statSync(file, { throwIfNoEntry: false });
        if (stats === undefined || Math.floor(stats.mtimeMs) !== putAt || isReferenced(db, hash)) continue;
        rmSync(file, { force: true });
        blobs += 1;
        bytes += stats.size;
      }
      return { blobs, bytes, waiting: 0 };
    }
  }
}

/**
 * Unreferenced and missing. A blob that is referenced and lost isn't reported, because its next user can't put it
 * again.
 */
export function missingBlobs({ db, path }: Writing, hashes: readonly BlobHash[]): readonly BlobHash[] {
  const folder = blobFolderOf(path);
  return hashes.filter((hash) => !existsSync(fileOf(folder, hash)) && !isReferenced(db, hash));
}

export function referToBlobs({ db }: Writing, session: number, hashes: readonly BlobHash[]): void {
  makeTable(db, 'blob_references');
  for (const hash of hashes)
    db.run('INSERT OR IGNORE INTO blob_references (hash, session) VALUES (?, ?)', hash, session);
}

export function dropReferences({ db }: Writing, session: number): void {
  if (hasTable(db, 'blob_references')) db.run('DELETE FROM blob_references WHERE session = ?', session);
}

function isReferenced(db: Driver, hash: string): boolean {
  const isNamed = hasTable(db, 'blob_references') && db.get(selectReference, hash) !== undefined;
  return isNamed || db.get(selectLetter, hash) !== undefined || db.get(selectAside, hash) !== undefined;
}

export const selectReference = 'SELECT 1 FROM blob_references WHERE hash = ? LIMIT 1';
const selectLetter = 'SELECT 1 FROM inbox WHERE answer IS NULL AND instr(body, ?) > 0 LIMIT 1';
const selectAside = 'SELECT 1 FROM set_aside WHERE instr(body, ?) > 0 LIMIT 1';
const referFromExisting = `
  INSERT OR IGNORE INTO blob_references (hash, session) SELECT ?, number FROM sessions WHERE number = ?`;
const noteReferred = `
  INSERT INTO facts (name, value) VALUES ('referred_to', ?)
  ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`;
const replaceMark = 'INSERT OR REPLACE INTO blob_marks (hash, at, uptime, boot, put_at) VALUES (?, ?, ?, ?, ?)';
