import type { Owner } from '../../ports/lease.ts';
import type { LocalBus } from '../local-bus.ts';
import type { OwnerWatch } from '../owner-watch.ts';
import type { ServerWakeUps } from '../server-wake-ups.ts';
import type { StoreClock } from '../store-clock.ts';
import type { Database } from './database.ts';
import type { GroupWriter } from './group-writer.ts';

/** The shared parts of one open store. */
export interface StoreParts {
  readonly db: Database;
  /** The quoted schema. */
  readonly s: string;
  readonly self: () => Owner;
  readonly writer: GroupWriter;
  readonly bus: LocalBus;
  readonly wakeUps: ServerWakeUps;
  readonly clock: StoreClock;
  readonly leaseMs: number;
  /** Detects dead owners. */
  readonly watch: OwnerWatch;
  readonly close: () => Promise<void>;
}
