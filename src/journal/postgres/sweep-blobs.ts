/** Sweeps blobs in pages. Any number of processes may sweep at once: each deletion is checked under a lock. */
import type { Blobs, KeptBlob, SweepOptions, Swept } from '../../ports/blobs.ts';
import { markState, nothingSwept, type BlobMark } from '../blob-mark.ts';
import type { StoreParts } from './store-parts.ts';

const blobsAtOnce = 100;
const dayMs = 86_400_000;

export function createBlobSweep(
  { db, s, self }: StoreParts,
  blobs: Blobs,
): (options: SweepOptions) => Promise<Swept> {
  const doing = 'Sweeping blobs';

  async function sweepPage(page: readonly KeptBlob[], options: SweepOptions): Promise<Swept> {
    const { now, uptime, isDry = false, waitMs } = options;
    const seen = { at: Math.floor(now), uptime: Math.floor(uptime), boot: self().bootId };
    const rows = await db.rows<{ hash: string; mark: string | null }>(
      doing,
      `SELECT hash, mark FROM ${s}.blobs
       WHERE hash IN (SELECT jsonb_array_elements_text($1)) AND NOT ${s}.is_referenced(hash)`,
      [page.map(({ hash }) => hash)],
    );
    const unused = rows.flatMap(({ hash, mark }) => {
      const blob = page.find((one) => one.hash === hash);
      if (blob === undefined) return [];
      const marked = mark === null ? undefined : (JSON.parse(mark) as BlobMark);
      return [{ ...blob, state: markState(marked, { ...seen, putAt: blob.putAt }, waitMs) }];
    });
    const over = unused.filter(({ state }) => state === 'over');
    const waiting = unused.length - over.length;
    if (isDry) return { blobs: over.length, bytes: over.reduce((sum, { size }) => sum + size, 0), waiting };
    const outdated = unused.filter(({ state }) => state === 'outdated');
    if (outdated.length > 0) {
      await db.rows(
        doing,
        `UPDATE ${s}.blobs SET mark = x->>1 FROM jsonb_array_elements($1) AS x
         WHERE hash = x->>0 AND put_at = (x->>2)::bigint`,
        [outdated.map(({ hash, putAt }) => [hash, JSON.stringify({ ...seen, putAt }), putAt])],
      );
    }
    if (over.length === 0) return { ...nothingSwept, waiting };
    const removed = await db.value<Omit<Swept, 'waiting'>>(doing, `SELECT ${s}.remove_blobs($1)`, [
      over.map(({ hash, putAt }) => [hash, putAt]),
    ]);
    return { ...removed, waiting };
  }

  return async (options) => {
    if (options.isDry !== true) {
      const before = Math.floor(options.now - (options.waitMs ?? dayMs));
      await db.rows(doing, `SELECT ${s}.remove_unnamed_chunks($1)`, [before]);
    }
    let swept = nothingSwept;
    let page: KeptBlob[] = [];
    const finishPage = async () => {
      const { blobs: count, bytes, waiting } = await sweepPage(page, options);
      swept = { blobs: swept.blobs + count, bytes: swept.bytes + bytes, waiting: swept.waiting + waiting };
      page = [];
    };
    for await (const blob of blobs.list()) if (page.push(blob) === blobsAtOnce) await finishPage();
    if (page.length > 0) await finishPage();
    return swept;
  };
}
