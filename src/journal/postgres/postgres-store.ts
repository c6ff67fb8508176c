/**
 * The store on a PostgreSQL server, shared by any number of processes on any number of machines. Each change is one
 * statement. See `append-functions.ts` for the log, `lease-functions.ts` for ownership.
 */
import { hash, randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';

import { invariant } from '../../kernel/invariant.ts';
import type { Owner } from '../../ports/lease.ts';
import type { Store } from '../../ports/store.ts';
import { createLocalBus, lazyBus } from '../local-bus.ts';
import { createOwnerWatch } from '../owner-watch.ts';
import { ownIdentity } from '../process-identity.ts';
import { createProcessLeases } from '../process-leases.ts';
import { createProcessNodes } from '../process-nodes.ts';
import { rondoVersion } from '../rondo-version.ts';
import type { News } from '../server-news.ts';
import { createServerWakeUps } from '../server-wake-ups.ts';
import { wallClock, type StoreClock } from '../store-clock.ts';
import { createCommitBatch } from './commit-batch.ts';
import { openDatabase, type Patience } from './database.ts';
import { createGroupWriter } from './group-writer.ts';
import { migrate, quoted } from './migrate.ts';
import { createNotifications, noNotifications } from './notifications.ts';
import { postgresPlace } from './postgres-address.ts';
import { createPostgresBlobs } from './postgres-blobs.ts';
import { createPostgresInbox } from './postgres-inbox.ts';
import { createPostgresJobQueue } from './postgres-job-queue.ts';
import { createPostgresJournal } from './postgres-journal.ts';
import { postgresLeaseRows } from './postgres-leases.ts';
import { createPostgresUpkeep } from './postgres-upkeep.ts';
import { createPostgresDocuments, createPostgresHostedRows, postgresNodeRows } from './small-tables.ts';
import type { StoreParts } from './store-parts.ts';

export interface PostgresStoreOptions {
  /** `postgres://…`; see `postgres-address.ts`. */
  readonly address: string;
  readonly leaseMs?: number;
  readonly clock?: StoreClock;
  readonly patience?: Partial<Patience>;
  /** The folder for the sockets of this machine's processes on this store. */
  readonly socketFolder?: string;
  /** Whether another process is dead (default: ask the system). */
  readonly isDead?: (owner: Owner) => boolean;
  /** The version to record as writer (default: this Rondo). */
  readonly version?: string;
}

export interface PostgresStore extends Store {
  /** Drops everything without releasing it, like a killed process. For tests. */
  abandon(): Promise<void>;
}

/** Opening fails sooner than work in progress does. */
const openingMs = 5000;

export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { clock = wallClock } = options;
  const place = postgresPlace(options.address);
  const prepared = await prepare(options);
  const { start, leaseMs } = { ...prepared, leaseMs: options.leaseMs ?? prepared.leaseMs };
  const db = await openDatabase(place, options.patience);
  const s = quoted(place.schema);
  let owner: Owner | undefined;
  const self = () => (owner ??= { id: randomBytes(8).toString('hex'), ...ownIdentity() });
  const bus = createLocalBus(() => ({ folder: options.socketFolder ?? socketFolderOf(place), name: self().id }));
  const notifications =
    place.wake === 'poll'
      ? noNotifications
      : createNotifications({ db, channel: `rondo ${place.schema}`, self: () => self().id });
  const wakeUps = createServerWakeUps({
    bus,
    notifications,
    start,
    async read({ releases, letters, since }) {
      const sql = `SELECT ${s}.news($1, $2, $3, $4)`;
      const [row] = await db.soon<{ news: News }>('Looking for news', sql, [self().id, releases, letters, since]);
      invariant(row !== undefined, 'postgres: news is one row');
      return row.news;
    },
  });
  let hasWritten = false;
  let closing: Promise<void> | undefined;
  const version = options.version ?? rondoVersion();
  const commit = createCommitBatch({ db, s, self, version, now: () => clock.now() });
  const writer = createGroupWriter((ops) => {
    hasWritten = true;
    return commit(ops);
  });
  const parts: StoreParts = {
    db,
    s,
    self,
    writer,
    bus,
    wakeUps,
    clock,
    leaseMs,
    watch: createOwnerWatch({ isDead: options.isDead, self, leaseMs, clock }),
    close: () => (closing ??= close()),
  };
  const rows = postgresLeaseRows(parts);
  const leases = createProcessLeases({ ...parts, rows });
  const blobs = createPostgresBlobs(parts);
  const jobs = createPostgresJobQueue(parts, leases);

  async function end(): Promise<void> {
    wakeUps.close();
    await notifications.close();
    await bus[Symbol.asyncDispose]();
    await db.close();
  }

  async function close(): Promise<void> {
    wakeUps.close();
    await writer.drain();
    // A process that never named itself owns nothing.
    if (owner !== undefined || hasWritten) {
      await jobs.leave().catch(() => undefined);
      await rows.leave().catch(() => undefined);
    }
    await end();
  }

  return {
    isShared: true,
    journal: createPostgresJournal(parts, leases),
    leases,
    inbox: createPostgresInbox(parts),
    jobs,
    hosted: createPostgresHostedRows(parts),
    upkeep: createPostgresUpkeep(parts, blobs, leases),
    nodes: createProcessNodes({ ...parts, leases, rows: postgresNodeRows(parts) }),
    documents: createPostgresDocuments(parts),
    bus: lazyBus(bus),
    blobs,
    async abandon() {
      closing ??= Promise.resolve();
      await end();
    },
    [Symbol.asyncDispose]: parts.close,
  };
}

/** Whether there is a store at this address. */
export async function hasPostgresStore(address: string): Promise<boolean> {
  const place = postgresPlace(address);
  const db = await openDatabase({ ...place, connections: 1 }, { retryMs: openingMs });
  try {
    const facts = `${quoted(place.schema)}.facts`;
    return await db.value<boolean>('Looking for the store', 'SELECT to_regclass($1) IS NOT NULL', [facts]);
  } finally {
    await db.close();
  }
}

/** Uses a separate connection, so that an unreachable server is reported soon. */
async function prepare({
  address,
  patience,
}: PostgresStoreOptions): Promise<{ readonly start: number; readonly leaseMs: number }> {
  const place = postgresPlace(address);
  const db = await openDatabase({ ...place, connections: 1 }, { retryMs: openingMs, ...patience });
  try {
    const leaseMs = await migrate(db, place);
    return { start: await db.value<number>('Opening the store', selectOldest), leaseMs };
  } finally {
    await db.close();
  }
}

/** The oldest running transaction. */
const selectOldest = 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/** Short, because a Unix socket's path is limited to about a hundred bytes. */
function socketFolderOf({
  connectionString,
  schema,
}: {
  readonly connectionString: string;
  readonly schema: string;
}) {
  const { host, pathname } = new URL(connectionString);
  const user = process.getuid?.() ?? os.userInfo().username;
  return path.join(
    os.tmpdir(),
    `rondo-${user}-${hash('sha256', `${host}${pathname} ${schema}`, 'hex').slice(0, 16)}`,
  );
}
