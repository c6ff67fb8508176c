/**
 * Deletes blobs that nothing names (O10). A reference is written before its blob is looked for, and a blob is marked as
 * dying before its references are looked for: so a sweep and an append that meet see each other.
 */
import type { SweepOptions, Swept } from '../../ports/blobs.ts';
import { markState, nothingSwept } from '../blob-mark.ts';
import type { BlobRow, BlobRows } from './nats-blobs.ts';
import type { NatsParts } from './store-parts.ts';

export function createBlobSweep(
  { client, layout, self }: Pick<NatsParts, 'client' | 'layout' | 'self'>,
  rows: BlobRows,
): (options: SweepOptions) => Promise<Swept> {
  async function remove(row: BlobRow, rev: number): Promise<boolean> {
    const dying = await rows.write({ ...row, isDying: true }, rev);
    if (dying === undefined) return false;
    if (await rows.isReferenced(row.hash)) {
      await rows.write(row, dying);
      return false;
    }
    // If the blob was stored again, this message no longer exists.
    if (!(await client.drop('Sweeping blobs', layout.kept, dying))) return false;
    for (const piece of row.pieces) await client.drop('Sweeping blobs', layout.kept, piece);
    return true;
  }

  async function sweepOne({ rev, row }: { rev: number; row: BlobRow }, options: SweepOptions): Promise<Swept> {
    const { now, uptime, isDry = false, waitMs } = options;
    if (await rows.isReferenced(row.hash)) return nothingSwept;
    const seen = { at: now, uptime, boot: self().bootId, putAt: row.putAt };
    const state = markState(row.mark, seen, waitMs);
    if (state === 'over') {
      const isDone = isDry || (await remove(row, rev));
      return isDone ? { blobs: 1, bytes: row.size, waiting: 0 } : nothingSwept;
    }
    if (state === 'outdated' && !isDry) await rows.write({ ...row, mark: seen }, rev);
    return { ...nothingSwept, waiting: 1 };
  }

  return async (options) => {
    let swept = nothingSwept;
    const all = await Array.fromAsync(rows.all());
    for (const one of all) {
      const { blobs, bytes, waiting } = await sweepOne(one, options);
      swept = { blobs: swept.blobs + blobs, bytes: swept.bytes + bytes, waiting: swept.waiting + waiting };
    }
    return swept;
  };
}
