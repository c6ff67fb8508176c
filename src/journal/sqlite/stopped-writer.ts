/**
 * A process stopped (SIGSTOP) inside a commit holds the write lock and blocks every other process. Its lease has
 * lapsed by then, so a waiter of the same user kills it (O5).
 */
import { readFile, stat } from 'node:fs/promises';

import { Fault } from '../../kernel/fault.ts';
import type { WriterThread } from './writer-thread.ts';

/** The byte of the shared-memory file that SQLite locks to write in WAL mode. */
const writeLockByte = 120;

export interface LockedStore {
  readonly file: string;
  readonly leaseMs: number;
  /** Milliseconds since boot, including sleep. */
  readonly uptime: () => number;
}

/** A writer that frees the store from a stopped process after a lease. */
export function withoutStoppedWriters(writer: WriterThread, { file, leaseMs, uptime }: LockedStore): WriterThread {
  let lockedSince: number | undefined;
  return {
    ...writer,
    async write(op) {
      // Reading the uptime costs a file read, too much for every commit.
      const started = performance.now();
      try {
        const answer = await writer.write(op);
        lockedSince = undefined;
        return answer;
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'busy') throw error;
        const failedAt = uptime();
        lockedSince ??= failedAt - (performance.now() - started);
        if (failedAt - lockedSince < leaseMs || !(await killStoppedWriter(file))) throw error;
        return writer.write(op);
      }
    },
  };
}

/** False if the lock is free, its holder runs, or the system doesn't say. */
async function killStoppedWriter(file: string): Promise<boolean> {
  try {
    const { ino } = await stat(`${file}-shm`);
    const holder = (await readFile('/proc/locks', 'utf8')).split('\n').map(lockOf).find(isWriteLock(ino));
    if (holder === undefined || !(await isStopped(holder.pid))) return false;
    process.kill(holder.pid, 'SIGKILL');
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
