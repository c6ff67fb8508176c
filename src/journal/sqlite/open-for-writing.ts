/**
 * A connection that commits to disk, and its batch writer.
 *
 * Every committing connection keeps the log short: it moves the log's pages into the file every `checkpointPages`,
 * which takes a few milliseconds, and the next commit starts the log over. Readers of old pages prevent that. If
 * the log becomes long anyway, a connection that may wait does so.
 */
import { openDriver, type Driver } from './driver.ts';
import { createBatchWriter } from './write-batch.ts';
import type { Batch, BatchAnswer, WriterSetup } from './writer-protocol.ts';

export interface OpenedForWriting {
  readonly db: Driver;
  readonly write: (batch: Batch) => BatchAnswer;
  /** Readers keep the log from starting over: a connection that waits for them must commit next. */
  readonly isLogLong: () => boolean;
}

/** 4 MB: a log of this size is reused in place, which is faster than growing. */
const checkpointPages = 1000;
/** 16 MB, half of the maximum. */
const longLogPages = 4000;
/** Asking costs microseconds; even large commits add only a few megabytes in between. */
const askEvery = 16;

export function openForWriting(
  setup: WriterSetup,
  { busyTimeoutMs }: { readonly busyTimeoutMs: number },
): OpenedForWriting {
  const db = openDriver(setup.path, { busyTimeoutMs });
  db.exec(
    `PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 8388608; PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = ${checkpointPages}`,
  );
  const writeBatch = createBatchWriter(db, setup);
  let batches = 0;
  let isLong = false;
  let restartAt = longLogPages;

  function shorten(): void {
    const pages = logPages(db);
    isLong = pages >= longLogPages;
    if (!isLong) restartAt = longLogPages;
    if (pages < restartAt || busyTimeoutMs === 0) return;
    db.get('PRAGMA wal_checkpoint(RESTART)');
    // Don't wait with every commit for a reader that is stopped.
    restartAt = pages + checkpointPages;
  }

  return {
    db,
    isLogLong: () => isLong && (isLong = logPages(db) >= longLogPages),
    write(batch) {
      const answer = writeBatch(batch);
      batches += 1;
      if (isLong || batches % askEvery === 0) shorten();
      return answer;
    },
  };
}

/** Pages in the log that the next commit would add to. */
function logPages(db: Driver): number {
  return db.get<{ log: number }>('PRAGMA wal_checkpoint(NOOP)')?.log ?? 0;
}
