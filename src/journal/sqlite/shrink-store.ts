/**
 * Gives the disk back what removed sessions took in the file, which SQLite would otherwise keep for what comes.
 *
 * 1. Only while nothing else has the store open: the whole file is written anew, and nobody should wait for that.
 *    SQLite leaves its log only for a connection that is alone, and so says whether it is.
 * 2. Killed at any instant, or out of room, the store is as it was: what SQLite needs to go back is beside the file,
 *    and the next opening goes back and takes up the log again.
 */
import { orFault, failureOf } from '../store-fault.ts';
import { openDriver, type Driver } from './driver.ts';

export type Shrunk =
  | { readonly type: 'shrunk'; readonly bytes: number }
  /** So little of it is free that it stays. */
  | { readonly type: 'small' }
  | { readonly type: 'in-use'; readonly free: number }
  /** The disk is too full to write the file anew; Rondo uses the free part itself. */
  | { readonly type: 'no-room'; readonly free: number };

/** Less is used up again soon. */
const worthBytes = 1024 ** 2;
const worthShare = 0.2;

export function shrinkStore(path: string): Shrunk {
  return orFault('Giving free space back to the disk', path, () => {
    const db = openDriver(path, { busyTimeoutMs: 0 });
    try {
      const before = measure(db);
      if (before.free < Math.max(worthBytes, before.all * worthShare)) return { type: 'small' };
      if (!isAlone(db)) return { type: 'in-use', free: before.free };
      try {
        db.exec('PRAGMA synchronous = FULL; VACUUM');
        return { type: 'shrunk', bytes: before.all - measure(db).all };
      } catch (error) {
        if (failureOf(error).code !== 'SQLITE_FULL') throw error;
        return { type: 'no-room', free: before.free };
      } finally {
        db.exec('PRAGMA journal_mode = WAL');
      }
    } finally {
      db.close();
    }
  });
}

function isAlone(db: Driver): boolean {
  try {
    return db.get<{ journal_mode: string }>('PRAGMA journal_mode = DELETE')?.journal_mode === 'delete';
  } catch (error) {
    if (failureOf(error).code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

function measure(db: Driver): { readonly all: number; readonly free: number } {
  const size = db.number('PRAGMA page_size') ?? 0;
  return {
    all: (db.number('PRAGMA page_count') ?? 0) * size,
    free: (db.number('PRAGMA freelist_count') ?? 0) * size,
  };
}
