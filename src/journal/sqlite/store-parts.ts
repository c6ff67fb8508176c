import type { Owner } from '../lease.ts';
import type { Driver } from './driver.ts';
import type { LocalBus } from './local-bus.ts';
import type { OwnerWatch } from './owner-watch.ts';
import type { StoreClock } from './store-clock.ts';
import type { WakeUps } from './wake-ups.ts';
import type { WriterThread } from './writer-thread.ts';

/** What the ports of one open store are made of. */
export interface StoreParts {
  /** This process; worked out when it is first asked for. */
  readonly self: () => Owner;
  readonly writer: WriterThread;
  readonly bus: LocalBus;
  readonly wakeUps: WakeUps;
  readonly clock: StoreClock;
  readonly leaseMs: number;
  /** Whether the process that owns sessions is gone. */
  readonly watch: OwnerWatch;
  /** Runs work on the reading connection; what fails there becomes a fault that says what was being done. */
  readonly read: <Value>(doing: string, work: (db: Driver) => Value | Promise<Value>) => Promise<Value>;
  readonly close: () => Promise<void>;
}
