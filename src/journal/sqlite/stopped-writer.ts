/**
 * A process stopped (SIGSTOP) inside a commit holds the write lock and blocks every other process. Its lease has
 * lapsed by then, so a waiter of the same user kills it (O5).
 */
import { readFile, stat } from 'node:fs/promises';

import { Fault } from '../../kernel/fault.ts';
import type { WriterThread } from './writer-thread.ts';

/** The byte of the shared-memory file that SQLite locks to write in WAL mode. */
const writeLockByte = 120;

interface LockedStore {
  readonly file: string;
  readonly leaseMs: number;
  /** Milliseconds since boot, including sleep. */
  readonly uptime: () => number;
}

/**
 * A writer that frees the store from a stopped process after a lease. Until then it waits: a command that gave up
 * sooner, and a server that is started again and again, would never get there.
 */
export function withoutStoppedWriters(writer: WriterThread, { file, leaseMs, uptime }: LockedStore): WriterThread {
  let stopped: { readonly pid: number; readonly since: number } | undefined;
  return {
    ...writer,
    async write(op) {
      for (;;) {
        try {
          return await writer.write(op);
        } catch (error) {
          if (!(error instanceof Fault) || error.code !== 'busy') throw error;
          const pid = await stoppedHolder(file);
          if (pid === undefined) stopped = undefined;
          else if (pid !== stopped?.pid) stopped = { pid, since: uptime() };
          if (stopped === undefined) throw error;
          if (uptime() - stopped.since >= leaseMs && !isKilled(stopped.pid)) throw error;
        }
      }
    },
  };
}

/** Undefined if the lock is free, its holder runs, or the system doesn't say. */
async function stoppedHolder(file: string): Promise<number | undefined> {
  try {
    const { ino } = await stat(`${file}-shm`);
    const holder = (await readFile('/proc/locks', 'utf8')).split('\n').map(lockOf).find(isWriteLock(ino));
    return holder !== undefined && (await isStopped(holder.pid)) ? holder.pid : undefined;
  } catch {
    return undefined;
  }
}

function isKilled(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

interface Lock {
  readonly pid: number;
  readonly inode: number;
  readonly from: number;
  readonly to: number;
}

/** "7: POSIX  ADVISORY  WRITE 4711 fe:00:1234 120 120" */
function lockOf(line: string): Lock {
  const [, , , kind, pid, place = '', from, to] = line.trim().split(/\s+/);
  const inode = kind === 'WRITE' ? Number(place.split(':')[2]) : NaN;
  return { pid: Number(pid), inode, from: Number(from), to: to === 'EOF' ? Infinity : Number(to) };
}

function isWriteLock(ino: number): (lock: Lock) => boolean {
  return ({ inode, from, to }) => inode === ino && from <= writeLockByte && writeLockByte <= to;
}

async function isStopped(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The command in field 2 may contain spaces and brackets, so count from its end.
  return /^[Tt]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}
