import { openDriver, type Driver } from './driver.ts';
import { createBatchWriter } from './write-batch.ts';
import type { Batch, BatchAnswer, WriterSetup } from './writer-protocol.ts';

/** A connection that commits to the disk, and what writes batches through it. */
export function openForWriting(
  setup: WriterSetup,
  options: {
    readonly busyTimeoutMs: number;
    /** Pages in the log after which a commit moves them into the file; 0: never. */
    readonly checkpointPages: number;
  },
): { readonly db: Driver; readonly write: (batch: Batch) => BatchAnswer } {
  const db = openDriver(setup.path, options);
  db.exec(
    `PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = ${options.checkpointPages}`,
  );
  return { db, write: createBatchWriter(db, setup) };
}
