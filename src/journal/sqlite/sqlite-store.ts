/**
 * The default store: one SQLite file, shared by any number of processes on one machine. Reads use a separate
 * connection that no writer blocks. Writes go to a thread with group commit, or run in line if one session writes
 * alone.
 */
import { hash, randomBytes } from 'node:crypto';
import { accessSync, constants, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { createFileBlobs } from '../file-blobs.ts';
import type { ClaimResult, JobQueue } from '../../ports/job-queue.ts';
import type { Commit } from '../../ports/journal.ts';
import type { Owner } from '../../ports/lease.ts';
import { ownIdentity } from '../process-identity.ts';
import { refuseMoved } from '../moved-store.ts';
import { rondoVersion } from '../rondo-version.ts';
import { failureOf, orFault } from '../store-fault.ts';
import type { Store } from '../../ports/store.ts';
import type { Upkeep } from '../../ports/upkeep.ts';
import { openDriver, type Driver } from './driver.ts';
import { createPrivately } from './create-privately.ts';
import { createInlineWriter, noInlineWriter } from './inline-writer.ts';
import { createSqliteJobQueue } from './job-queue.ts';
import { createLocalBus, lazyBus } from '../local-bus.ts';
import { migrate } from './migrate.ts';
import { openForWriting } from './open-for-writing.ts';
import { openImage } from './open-image.ts';
import { createOwnerWatch } from '../owner-watch.ts';
import { createSqliteDocuments } from './sqlite-documents.ts';
import { createSqliteHostedRows } from './sqlite-hosted-rows.ts';
import { createSqliteInbox } from './sqlite-inbox.ts';
import { createSqliteJournal } from './sqlite-journal.ts';
import { createProcessLeases } from '../process-leases.ts';
import { createProcessNodes } from '../process-nodes.ts';
import { sqliteLeaseRows } from './sqlite-leases.ts';
import { sqliteNodeRows } from './sqlite-nodes.ts';
import { createSqliteUpkeep } from './sqlite-upkeep.ts';
import { wallClock, type StoreClock } from '../store-clock.ts';
import { withoutStoppedWriters } from './stopped-writer.ts';
import type { StoreParts } from './store-parts.ts';
import { storeState } from './store-state.ts';
import { createWakeUps } from './wake-ups.ts';
import { blobFolderOf } from './write-blobs.ts';
import type { BatchAnswer, WriteOp, WriterSetup } from './writer-protocol.ts';
import { createWriterThread } from './writer-thread.ts';

export interface SqliteStoreOptions {
  /** The database file, created with its folder if missing. Blobs are beside it. */
  readonly path: string;
  /** The writer thread's code, if it isn't beside this file (in a bundle). */
  readonly writerUrl?: URL;
  /** `thread`: no commit on this thread, however quick. Default: one session alone is written in line. */
  readonly commits?: 'adaptive' | 'thread';
  /** `look`: nothing will be written, so a full or read-only disk doesn't matter. Default: `work`. */
  readonly purpose?: 'look' | 'work';
  readonly leaseMs?: number;
  readonly busyTimeoutMs?: number;
  readonly clock?: StoreClock;
  /** The folder for the sockets of all processes on this store. */
  readonly socketFolder?: string;
  /** Whether another process is dead (default: ask the system). */
  readonly isDead?: (owner: Owner) => boolean;
  /** The version to record as writer (default: this Rondo). */
  readonly version?: string;
}

export interface SqliteStore extends Store {
  /** Drops everything without releasing it, like a killed process. For tests. */
  abandon(): Promise<void>;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { clock = wallClock, leaseMs = 15_000, busyTimeoutMs = 5000 } = options;
  const file = path.resolve(options.path);
  const db = openReader(file, busyTimeoutMs, options.purpose);
  // Computed on the first write, so that readers don't wait for it.
  let owner: Owner | undefined;
  const self = () => (owner ??= { id: randomBytes(8).toString('hex'), ...ownIdentity() });
  const bus = createLocalBus(() => ({
    folder: options.socketFolder ?? socketFolderOf(file),
    name: self().id,
  }));
  const wakeUps = createWakeUps(db, bus, { owner: () => self().id });
  const setup: WriterSetup = {
    path: file,
    busyTimeoutMs,
    get self() {
      return self();
    },
    get version() {
      return options.version ?? rondoVersion();
    },
  };
  const inline =
    options.commits === 'thread'
      ? noInlineWriter
      : createInlineWriter({
          open: () => openForWriting(setup, { busyTimeoutMs: 0 }),
          now: () => performance.now(),
        });
  const thread = createWriterThread(options.writerUrl ?? new URL('./writer.ts', import.meta.url), setup, {
    inline,
    now: () => clock.now(),
    onCommitted,
  });
  const writer = withoutStoppedWriters(thread, { file, leaseMs, uptime: () => clock.uptime() });
  let closing: Promise<void> | undefined;
  let hasWritten = false;
  let isNode = false;

  const parts: StoreParts = {
    self,
    writer,
    bus,
    wakeUps,
    clock,
    leaseMs,
    watch: createOwnerWatch({ isDead: options.isDead, self, leaseMs, clock }),
    async read(doing, work) {
      if (closing !== undefined) {
        throw new Fault('closed', `${doing} in ${file} failed: the store was closed. Open it again.`);
      }
      return await orFault(doing, file, () => work(db));
    },
    close: () => (closing ??= close()),
  };
  const leases = createProcessLeases({ ...parts, rows: sqliteLeaseRows(parts) });
  const blobs = createFileBlobs(blobFolderOf(file));

  function onCommitted({ answers, positions }: BatchAnswer, ops: readonly WriteOp[]): void {
    hasWritten = true;
    const commits: Commit[] = [];
    let index = -1;
    for (const op of ops) {
      index += 1;
      const seq = answers[index];
      if (op[0] === 'remove' && seq === 'done') leases.forgotten(op[1] as SessionId);
      if (op[0] === 'queue' && op[1][0] === 'claim' && (seq as ClaimResult).job !== undefined) leases.started();
      if (op[0] === 'node' && seq === 'registered') isNode = true;
      if (op[0] !== 'append' || typeof seq !== 'number') continue;
      const session = op[1] as SessionId;
      commits.push({ session, seq });
      if (op[3] === 0) leases.claimed(session, op[2]);
    }
    if (positions !== null) wakeUps.committed(commits, positions);
  }

  async function close(): Promise<void> {
    wakeUps.close();
    // A process that wrote nothing owns nothing, and isn't made to start a writer for it.
    if (isNode) await writer.write(['node', ['leave']]).catch(() => undefined);
    if (hasWritten) await writer.write(['leave']).catch(() => undefined);
    await writer.close();
    await bus[Symbol.asyncDispose]();
    db.close();
  }

  let jobs: JobQueue | undefined;
  let upkeep: Upkeep | undefined;
  return Promise.resolve({
    journal: createSqliteJournal(parts),
    leases,
    inbox: createSqliteInbox(parts),
    get jobs() {
      return (jobs ??= createSqliteJobQueue(parts));
    },
    hosted: createSqliteHostedRows(parts),
    get upkeep() {
      return (upkeep ??= createSqliteUpkeep(parts, blobs));
    },
    nodes: createProcessNodes({ ...parts, leases, rows: sqliteNodeRows(parts) }),
    documents: createSqliteDocuments(parts),
    bus: lazyBus(bus),
    blobs,
    async abandon() {
      closing ??= Promise.resolve();
      wakeUps.close();
      await writer.abandon();
      await bus[Symbol.asyncDispose]();
      db.close();
    },
    [Symbol.asyncDispose]: parts.close,
  });
}

function openReader(file: string, busyTimeoutMs: number, purpose: SqliteStoreOptions['purpose']): Driver {
  return orFault('Opening the store', file, () => {
    createPrivately(file);
    let db: Driver | undefined;
    try {
      db = openDriver(file, { busyTimeoutMs });
      migrate(db, file);
      refuseMoved(file, storeState(db));
      db.exec('PRAGMA query_only = ON');
      return db;
    } catch (error) {
      db?.close();
      const image = purpose === 'look' ? openImage(file, error) : undefined;
      if (image !== undefined) {
        migrate(image, file);
        image.exec('PRAGMA query_only = ON');
        return image;
      }
      // SQLite only says that it can't; the system says why.
      if (failureOf(error).code === 'SQLITE_CANTOPEN') accessSync(path.dirname(file), constants.W_OK);
      throw error;
    }
  });
}

/** Short, because a Unix socket's path is limited to about a hundred bytes. */
function socketFolderOf(file: string): string {
  const place = path.join(realpathSync(path.dirname(file)), path.basename(file));
  const user = process.getuid?.() ?? os.userInfo().username;
  return path.join(os.tmpdir(), `rondo-${user}-${hash('sha256', place, 'hex').slice(0, 16)}`);
}
