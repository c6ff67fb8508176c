/**
 * Sweeps blobs of a SQLite store in small pages, so that readers and writers don't wait. Any number of processes
 * may sweep at once: each page is checked again in the deleting transaction.
 *
 * Records refer to their blobs in the appending transaction. Records written otherwise, by an earlier version or a
 * salvage, are read once, before the first sweep that meets them.
 */
import { setImmediate } from 'node:timers/promises';

import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import { type KeptBlob, type SweepOptions, type Swept } from '../../ports/blobs.ts';
import { markState, nothingSwept, type BlobMark } from '../blob-mark.ts';
import type { FileBlobs } from '../file-blobs.ts';
import { blobsNamedIn } from '../references.ts';
import type { Driver } from './driver.ts';
import type { StoreParts } from './store-parts.ts';
import { hasTable } from './tables-on-demand.ts';
import { selectReference, type BlobWrite } from './write-blobs.ts';

const recordsAtOnce = 500;
const blobsAtOnce = 100;
const dayMs = 86_400_000;

interface BlobSweep {
  sweep(options: SweepOptions): Promise<Swept>;
  blobsOf(session: SessionId): Promise<readonly BlobHash[]>;
}

export function createBlobSweep({ read, writer, self }: StoreParts, files: FileBlobs): BlobSweep {
  const write = async (given: BlobWrite) => (await writer.write(['blobs', given])) as Swept | null;

  async function catchUp(): Promise<void> {
    for (;;) {
      const page = await read('Looking for blobs', nextUnreferred);
      if (page === undefined) return;
      await write(['refer', page.upTo, page.rows]);
      await setImmediate();
    }
  }

  async function sweepPage(page: readonly KeptBlob[], options: SweepOptions): Promise<Swept> {
    const { now, uptime, isDry = false, waitMs } = options;
    const seen = { at: Math.floor(now), uptime: Math.floor(uptime), boot: self().bootId };
    const unused = await read('Looking for blobs', (db) =>
      page.flatMap((blob) => {
        if (hasTable(db, 'blob_references') && db.get(selectReference, blob.hash) !== undefined) return [];
        return [{ ...blob, state: markState(markOf(db, blob.hash), { ...seen, putAt: blob.putAt }, waitMs) }];
      }),
    );
    const over = unused.filter(({ state }) => state === 'over');
    const outdated = unused.filter(({ state }) => state === 'outdated');
    const waiting = unused.length - over.length;
    if (isDry) return { blobs: over.length, bytes: over.reduce((sum, { size }) => sum + size, 0), waiting };
    if (outdated.length > 0) await write(['mark', outdated.map(placed), seen]);
    const removed = over.length === 0 ? nothingSwept : await write(['remove', over.map(placed)]);
    return { ...(removed ?? nothingSwept), waiting };
  }

  return {
    async sweep(options) {
      await catchUp();
      if (options.isDry !== true) await files.clean({ before: options.now - (options.waitMs ?? dayMs) });
      let swept = nothingSwept;
      let page: KeptBlob[] = [];
      const finishPage = async () => {
        const { blobs, bytes, waiting } = await sweepPage(page, options);
        swept = { blobs: swept.blobs + blobs, bytes: swept.bytes + bytes, waiting: swept.waiting + waiting };
        page = [];
      };
      for await (const blob of files.list()) if (page.push(blob) === blobsAtOnce) await finishPage();
      if (page.length > 0) await finishPage();
      return swept;
    },
    async blobsOf(session) {
      await catchUp();
      return read(`Looking for blobs of session ${session}`, (db) =>
        hasTable(db, 'blob_references') ? (db.texts(selectBlobsOf, session) as readonly BlobHash[]) : [],
      );
    },
  };
}

function nextUnreferred(db: Driver) {
  const from = db.number(`SELECT value FROM facts WHERE name = 'referred_to'`) ?? 0;
  const last = db.number('SELECT max(position) FROM records') ?? 0;
  if (from >= last) return undefined;
  const upTo = Math.min(from + recordsAtOnce, last);
  const naming = db.all<{ session: number; body: string }>(selectNaming, from, upTo);
  const rows = naming.flatMap(({ session, body }) => blobsNamedIn(body).map((hash) => [hash, session] as const));
  return { upTo, rows };
}

function markOf(db: Driver, hash: BlobHash): BlobMark | undefined {
  if (!hasTable(db, 'blob_references')) return undefined;
  return db.get<BlobMark>('SELECT at, uptime, boot, put_at AS putAt FROM blob_marks WHERE hash = ?', hash);
}

const placed = ({ hash, putAt }: KeptBlob) => [hash, putAt] as const;

const selectNaming = `
  SELECT session, body FROM records WHERE position > ? AND position <= ? AND instr(body, '"blob":"') > 0`;
const selectBlobsOf = `
  SELECT hash FROM blob_references JOIN sessions ON sessions.number = blob_references.session
  WHERE sessions.id = ? ORDER BY hash`;
