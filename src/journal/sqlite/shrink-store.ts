/**
 * Returns the space of removed sessions to the disk, which SQLite would otherwise keep for reuse.
 *
 * 1. Only while no other process has the store open, because it rewrites the whole file. SQLite leaves WAL mode
 *    only for a single connection, which tells us.
 * 2. Killed at any instant, or out of space, the store is unchanged: SQLite's rollback data is beside the file, and
 *    the next opening rolls back and restores the log.
 */
import { optional } from '../../kernel/optional.ts';
import { orFault, failureOf } from '../store-fault.ts';
import { openDriver, type Driver } from './driver.ts';

export type Shrunk =
  | { readonly type: 'shrunk'; readonly bytes: number }
  /** Too little is free to be worth it. */
  | { readonly type: 'small' }
  /** Without `free` another process kept it from being measured. */
  | { readonly type: 'in-use'; readonly free?: number }
  /** The disk is too full to rewrite the file. Rondo reuses the free space. */
  | { readonly type: 'no-room'; readonly free: number };

/** Less than this is soon used again. */
const worthBytes = 1024 ** 2;
const worthShare = 0.2;

export function shrinkStore(path: string): Shrunk {
  return orFault('Giving free space back to the disk', path, () => {
    const db = openDriver(path, { busyTimeoutMs: 0 });
    let free: number | undefined;
    try {
      const before = measure(db);
      ({ free } = before);
      if (free < Math.max(worthBytes, before.all * worthShare)) return { type: 'small' };
      const { journal_mode: mode } = db.get<{ journal_mode: string }>('PRAGMA journal_mode = DELETE') ?? {};
      if (mode !== 'delete') return { type: 'in-use', free };
      try {
        db.exec('PRAGMA synchronous = FULL; VACUUM');
        return { type: 'shrunk', bytes: before.all - measure(db).all };
      } finally {
        db.exec('PRAGMA journal_mode = WAL');
      }
    } catch (error) {
      const { code } = failureOf(error);
      // Another process opens or writes the store at this moment. The next process that opens it restores the log.
      if (code.startsWith('SQLITE_BUSY')) return { type: 'in-use', ...optional({ free }) };
      if (code === 'SQLITE_FULL' && free !== undefined) return { type: 'no-room', free };
      throw error;
    } finally {
      db.close();
    }
  });
}

function measure(db: Driver): { readonly all: number; readonly free: number } {
  const size = db.number('PRAGMA page_size') ?? 0;
  return {
    all: (db.number('PRAGMA page_count') ?? 0) * size,
    free: (db.number('PRAGMA freelist_count') ?? 0) * size,
  };
}
