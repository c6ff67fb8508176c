/**
 * The store on NATS JetStream, shared by any number of processes on any number of machines. See `session-log.ts` for
 * the log, `store-layout.ts` for the streams.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { optional } from '../../kernel/optional.ts';
import type { Owner } from '../../ports/lease.ts';
import type { Store } from '../../ports/store.ts';
import { createOwnerWatch } from '../owner-watch.ts';
import { ownIdentity } from '../process-identity.ts';
import { createProcessLeases } from '../process-leases.ts';
import { createProcessNodes } from '../process-nodes.ts';
import { createServerWakeUps } from '../server-wake-ups.ts';
import { wallClock, type StoreClock } from '../store-clock.ts';
import { createCreations } from './creations.ts';
import { withLargeBodies } from './large-bodies.ts';
import { createLetters } from './letters.ts';
import { natsPlace } from './nats-address.ts';
import { createBlobRows, createNatsBlobs } from './nats-blobs.ts';
import { createNatsBus } from './nats-bus.ts';
import { connectNats, type NatsPatience } from './nats-client.ts';
import { createNatsInbox } from './nats-inbox.ts';
import { createNatsJobQueue, createQueueLog } from './nats-job-queue.ts';
import { createNatsJournal } from './nats-journal.ts';
import { natsLeaseRows } from './nats-leases.ts';
import { createCoreNotifications, createNewsReader } from './nats-news.ts';
import { createNatsUpkeep } from './nats-upkeep.ts';
import { createProcesses } from './processes.ts';
import { createLogReader } from './read-log.ts';
import { createSessionDirectory } from './session-directory.ts';
import type { LogRecord } from './session-log.ts';
import { createLogWriter } from './log-writer.ts';
import { createNatsDocuments, createNatsHostedRows, natsNodeRows } from './small-tables.ts';
import { prepareStore, readStoreFacts } from './store-layout.ts';
import type { NatsParts } from './store-parts.ts';

export interface NatsStoreOptions {
  /** `nats://…`; see `nats-address.ts`. */
  readonly address: string;
  readonly leaseMs?: number;
  readonly clock?: StoreClock;
  readonly patience?: Partial<NatsPatience>;
  /** Whether another process is dead (default: ask the system). */
  readonly isDead?: (owner: Owner) => boolean;
  /** The version to record as writer (default: this Rondo). */
  readonly version?: string;
  /** Changes a record as a damaged disk would. For tests. */
  readonly tamper?: (session: string, record: LogRecord) => LogRecord;
}

export interface NatsStore extends Store {
  /** Drops everything without releasing it, like a killed process. For tests. */
  abandon(): Promise<void>;
}

/** Messages go through the servers, so there is no bus of this machine. */
const noLocalBus = {
  subscribe: () => () => undefined,
  publish: () => undefined,
  start: () => Promise.resolve(),
  startSoon: () => undefined,
};

const leavingMs = 10_000;

export async function openNatsStore(options: NatsStoreOptions): Promise<NatsStore> {
  const { clock = wallClock } = options;
  const place = natsPlace(options.address);
  const connected = await connectNats(place, options.patience);
  const { layout, facts } = await prepareStore(connected, place).catch(async (error: unknown) => {
    await connected.close();
    throw error;
  });
  const { leaseMs = facts.lease * 1000 } = options;
  const client = withLargeBodies(connected, layout);
  const identity: Owner = { id: randomBytes(8).toString('hex'), ...ownIdentity() };
  const self = () => identity;
  const processes = createProcesses({ client, layout, self, now: () => clock.now() });
  const directory = createSessionDirectory(client, layout);
  const letters = createLetters(client, layout, () => clock.now(), facts.letters);
  const writer = createLogWriter({
    client,
    layout,
    directory,
    letters,
    ...optional({ version: options.version }),
  });
  const notifications = createCoreNotifications(client, layout.core('wake'));
  const queue = createQueueLog({ client, layout });
  const wakeUps = createServerWakeUps({
    bus: noLocalBus,
    notifications,
    start: (await client.lastSeq('Opening the store', layout.directory)) + 1,
    read: createNewsReader({ client, layout, self, directory, letters, writer, queue: () => queue.newest() }),
  });
  let closing: Promise<void> | undefined;
  const parts: NatsParts = {
    client,
    layout,
    self,
    processes,
    directory,
    letters,
    writer,
    wakeUps,
    clock,
    leaseMs,
    watch: createOwnerWatch({ isDead: options.isDead, self, leaseMs, clock }),
    tamper: options.tamper ?? ((_session, record) => record),
    close: () => (closing ??= close()),
  };
  const reader = createLogReader(parts);
  const rows = natsLeaseRows(parts, reader);
  const leases = createProcessLeases({ ...parts, rows });
  const blobRows = createBlobRows(parts);
  const blobs = createNatsBlobs(parts, blobRows);
  const creations = createCreations(parts);
  const jobs = createNatsJobQueue(parts, leases);

  async function close(): Promise<void> {
    wakeUps.close();
    const leaving = (async () => {
      await jobs.leave();
      await rows.leave();
    })().catch(() => undefined);
    // If the servers are away, others take over after the lease.
    await Promise.race([leaving, sleep(leavingMs, undefined, { ref: false })]);
    await notifications.close();
    await client.close();
  }

  return {
    isShared: true,
    journal: createNatsJournal({ ...parts, creations, blobRows }, leases, reader),
    leases,
    inbox: createNatsInbox(parts),
    jobs,
    hosted: createNatsHostedRows(parts),
    upkeep: createNatsUpkeep({ ...parts, reader, blobs, blobRows, creations, leases }),
    nodes: createProcessNodes({ ...parts, leases, rows: natsNodeRows(parts) }),
    documents: createNatsDocuments(parts),
    bus: createNatsBus(client, layout),
    blobs,
    async abandon() {
      closing ??= Promise.resolve();
      wakeUps.close();
      await client.close();
    },
    [Symbol.asyncDispose]: parts.close,
  };
}

/** Whether there is a store at this address. */
export async function hasNatsStore(address: string): Promise<boolean> {
  const place = natsPlace(address);
  const client = await connectNats(place);
  try {
    return (await readStoreFacts(client, place.name)) !== undefined;
  } finally {
    await client.close();
  }
}
