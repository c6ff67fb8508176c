/**
 * The default store: one SQLite file, shared by any number of processes on one machine. Reading is
 * done here, on a connection of its own that no writer blocks; writing on a thread with group commit, or
 * here where one session writes alone.
 */
import { hash, randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Bus } from '../bus.ts';
import { createFileBlobs } from '../file-blobs.ts';
import type { ClaimResult, JobQueue } from '../job-queue.ts';
import type { Commit } from '../journal.ts';
import type { Owner } from '../lease.ts';
import { isDead, isSameMachine, ownIdentity } from '../process-identity.ts';
import { rondoVersion } from '../rondo-version.ts';
import { failureOf, orFault } from '../store-fault.ts';
import type { Store } from '../store.ts';
import type { Upkeep } from '../upkeep.ts';
import { openDriver, type Driver } from './driver.ts';
import { createInlineWriter, noInlineWriter } from './inline-writer.ts';
import { createSqliteJobQueue } from './job-queue.ts';
import { createLocalBus, type LocalBus } from './local-bus.ts';
import { migrate } from './migrate.ts';
import { openForWriting } from './open-for-writing.ts';
import { createOwnerWatch } from './owner-watch.ts';
import { createSqliteHostedRows } from './sqlite-hosted-rows.ts';
import { createSqliteInbox } from './sqlite-inbox.ts';
import { createSqliteJournal } from './sqlite-journal.ts';
import { createSqliteLeases } from './sqlite-leases.ts';
import { createSqliteUpkeep } from './sqlite-upkeep.ts';
import { wallClock, type StoreClock } from './store-clock.ts';
import { withoutStoppedWriters } from './stopped-writer.ts';
import type { StoreParts } from './store-parts.ts';
import { createWakeUps } from './wake-ups.ts';
import { blobFolderOf } from './write-blobs.ts';
import type { BatchAnswer, WriteOp, WriterSetup } from './writer-protocol.ts';
import { createWriterThread } from './writer-thread.ts';

export interface SqliteStoreOptions {
  /** The database file; made if there is none, with its folder. Blobs are kept beside it. */
  readonly path: string;
  /** The writer thread's code, where it is not found beside this file (a bundle). */
  readonly writerUrl?: URL;
  /** `thread`: no commit on this thread, however quick. Default: one session alone is written in line. */
  readonly commits?: 'adaptive' | 'thread';
  readonly leaseMs?: number;
  readonly busyTimeoutMs?: number;
  readonly clock?: StoreClock;
  /** Where the sockets of all processes of this store are. */
  readonly socketFolder?: string;
  /** Whether another process is dead; by default as the system reports. */
  readonly isDead?: (owner: Owner) => boolean;
  /** Who is noted as having written. Default: this Rondo. */
  readonly version?: string;
}

export interface SqliteStore extends Store {
  /** Lets go of everything without giving anything up, as a killed process would. For tests. */
  abandon(): Promise<void>;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { clock = wallClock, leaseMs = 15_000, busyTimeoutMs = 5000 } = options;
  const file = path.resolve(options.path);
  const db = openReader(file, busyTimeoutMs);
  // Who this process is, where its sockets are and what wrote matter to those who write: others are not kept waiting.
  let known: Owner | undefined;
  const self = () => (known ??= { id: randomBytes(8).toString('hex'), ...ownIdentity() });
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

  const parts: StoreParts = {
    self,
    writer,
    bus,
    wakeUps,
    clock,
    leaseMs,
    watch: createOwnerWatch({
      isDead: options.isDead ?? ((owner) => isDead(owner, self())),
      isSameMachine: (owner) => isSameMachine(owner, self()),
      leaseMs,
      uptime: () => clock.uptime(),
    }),
    async read(doing, work) {
      if (closing !== undefined) {
        throw new Fault('closed', `${doing} in ${file} failed: the store was closed. Open it again to go on.`);
      }
      return await orFault(doing, file, () => work(db));
    },
    close: () => (closing ??= close()),
  };
  const leases = createSqliteLeases(parts);
  const blobs = createFileBlobs(blobFolderOf(file));

  function onCommitted({ answers, positions }: BatchAnswer, ops: readonly WriteOp[]): void {
    const commits: Commit[] = [];
    let index = -1;
    for (const op of ops) {
      index += 1;
      const seq = answers[index];
      if (op[0] === 'remove' && seq === 'done') leases.forgotten(op[1] as SessionId);
      if (op[0] === 'queue' && op[1][0] === 'claim' && (seq as ClaimResult).job !== undefined) leases.claimedJob();
      if (op[0] !== 'append' || typeof seq !== 'number') continue;
      const session = op[1] as SessionId;
      commits.push({ session, seq });
      if (op[3] === 0) leases.claimed(session, op[2]);
    }
    if (positions !== null) wakeUps.committed(commits, positions);
  }

  async function close(): Promise<void> {
    wakeUps.close();
    // A process that nobody asked for its name owns nothing.
    if (known !== undefined) await writer.write(['leave']).catch(() => undefined);
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

/** Sockets are opened for a subscriber at once, for a publisher only if it stays for a while. */
function lazyBus(bus: LocalBus): Bus {
  return {
    publish(topic, message) {
      bus.startSoon();
      bus.publish(topic, message);
    },
    subscribe(topic, listener) {
      void bus.start();
      return bus.subscribe(topic, listener);
    },
    [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
  };
}

/** One folder after the other: asked to make several at once where none can be (`/proc`), the system tries for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // another process was faster
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Made before SQLite makes it: the log and the index beside it get the same rights. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // It is there already, or SQLite says in its own words why it can't be made.
  }
}

function openReader(file: string, busyTimeoutMs: number): Driver {
  return orFault('Opening the store', file, () => {
    makeFolder(path.dirname(file));
    makePrivate(file);
    let db: Driver | undefined;
    try {
      db = openDriver(file, { busyTimeoutMs });
      migrate(db, file);
      db.exec('PRAGMA query_only = ON');
      return db;
    } catch (error) {
      db?.close();
      // SQLite only says that it cannot; the system says why.
      if (failureOf(error).code === 'SQLITE_CANTOPEN') accessSync(path.dirname(file), constants.W_OK);
      throw error;
    }
  });
}

/** Short, because the path of a Unix socket is limited to about a hundred bytes. */
function socketFolderOf(file: string): string {
  const place = path.join(realpathSync(path.dirname(file)), path.basename(file));
  const user = process.getuid?.() ?? os.userInfo().username;
  return path.join(os.tmpdir(), `rondo-${user}-${hash('sha256', place, 'hex').slice(0, 16)}`);
}
