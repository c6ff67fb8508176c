import type { Owner } from '../../ports/lease.ts';
import type { OwnerWatch } from '../owner-watch.ts';
import type { ServerWakeUps } from '../server-wake-ups.ts';
import type { StoreClock } from '../store-clock.ts';
import type { Letters } from './letters.ts';
import type { NatsClient } from './nats-client.ts';
import type { Processes } from './processes.ts';
import type { SessionDirectory } from './session-directory.ts';
import type { LogRecord } from './session-log.ts';
import type { LogWriter } from './log-writer.ts';
import type { StoreLayout } from './store-layout.ts';

/** The shared parts of one open store. */
export interface NatsParts {
  readonly client: NatsClient;
  readonly layout: StoreLayout;
  readonly self: () => Owner;
  readonly processes: Processes;
  readonly directory: SessionDirectory;
  readonly letters: Letters;
  readonly writer: LogWriter;
  readonly wakeUps: ServerWakeUps;
  readonly clock: StoreClock;
  readonly leaseMs: number;
  readonly watch: OwnerWatch;
  /** Changes a record as a damaged disk would. For tests. */
  readonly tamper: (session: string, record: LogRecord) => LogRecord;
  readonly close: () => Promise<void>;
}
