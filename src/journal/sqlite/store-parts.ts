import type { Owner } from '../../ports/lease.ts';
import type { Driver } from './driver.ts';
import type { LocalBus } from '../local-bus.ts';
import type { OwnerWatch } from '../owner-watch.ts';
import type { StoreClock } from '../store-clock.ts';
import type { SqliteWakeUps } from './wake-ups.ts';
import type { WriterThread } from './writer-thread.ts';

/** The shared parts of one open store. */
export interface StoreParts {
  /** This process, computed on first use. */
  readonly self: () => Owner;
  readonly writer: WriterThread;
  readonly bus: LocalBus;
  readonly wakeUps: SqliteWakeUps;
  readonly clock: StoreClock;
  readonly leaseMs: number;
  /** Detects dead owners. */
  readonly watch: OwnerWatch;
  /** Runs work on the reading connection. A failure becomes a fault that says what was being done. */
  readonly read: <Value>(doing: string, work: (db: Driver) => Value | Promise<Value>) => Promise<Value>;
  readonly close: () => Promise<void>;
}
