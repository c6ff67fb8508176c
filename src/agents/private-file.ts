/**
 * A small private JSON file of the user: atomic writes (temporary file, fsync, rename), mode 0600, one writer at a
 * time across processes.
 */
import { open, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Fault } from '../kernel/fault.ts';

/** The file's value, or undefined if it doesn't exist. Throws a `Fault` if it is damaged or others can write to it. */
export async function readPrivateJson(file: string): Promise<unknown> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if (othersMay(mode, 'write')) {
      throw new Fault('unreadable', `Refusing to use ${file}: other users can change it. Run: chmod 600 ${file}`);
    }
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw asFault(error, `Reading ${file}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Fault('damaged', `${file} is damaged. Repair it, or delete it to start over.`, { cause });
  }
}

/** Reads, changes and writes under a lock. */
export async function updatePrivateJson(file: string, change: (value: unknown) => unknown): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw asFault(error, `Creating the folder of ${file}`);
  }
  await withLock(`${file}.lock`, async () => {
    const changed = change(await readPrivateJson(file));
    const draft = `${file}.${process.pid}.new`;
    try {
      await using handle = await open(draft, 'w', 0o600);
      await handle.chmod(0o600);
      await handle.writeFile(`${JSON.stringify(changed, undefined, 2)}\n`);
      await handle.sync();
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw asFault(error, `Writing ${file}`);
    }
  });
}

export function othersMay(mode: number, what: 'read' | 'write'): boolean {
  // Windows has no such mode bits: the folder decides.
  return process.platform !== 'win32' && (mode & (what === 'read' ? 0o077 : 0o022)) !== 0;
}

const lockTimes = { retryMs: 20, patienceMs: 5_000, staleMs: 10_000, watchedMs: 300 };

async function withLock(lock: string, work: () => Promise<void>): Promise<void> {
  let seen: { readonly mtimeMs: number; readonly since: number } | undefined;
  for (let waited = 0; ; waited += lockTimes.retryMs) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw asFault(error, `Locking ${lock}`);
      const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
      if (seen?.mtimeMs !== mtimeMs) seen = { mtimeMs, since: waited };
      // After a clock change any lock may look stale or from the future, but a lock in use doesn't last.
      const looksStale = Math.abs(Date.now() - mtimeMs) > lockTimes.staleMs;
      if (looksStale && waited - seen.since >= lockTimes.watchedMs) await rm(lock, { force: true });
      else if (waited >= lockTimes.patienceMs) {
        throw new Fault(
          'busy',
          `Can't write ${lock.replace(/\.lock$/, '')}: another process holds ${lock}. Retry; delete the lock if no other rondo is running.`,
        );
      }
      await sleep(lockTimes.retryMs);
    }
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

function asFault(error: unknown, doing: string): Fault {
  if (error instanceof Fault) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const kind =
    code === 'ENOSPC' ? 'disk-full' : code === 'EROFS' || code === 'EACCES' ? 'read-only' : 'unreadable';
  return new Fault(
    kind,
    `${doing} failed: ${message}. Nothing changed. Check that its folder is writable and the disk has space.`,
    { cause: error },
  );
}
