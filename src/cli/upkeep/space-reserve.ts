/**
 * Space that is kept beside a store for the day the disk is full: removing sessions writes to the log first, so that
 * without it `rondo prune` could free nothing. A server makes it at its start and every prune at its end.
 */
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const size = 8 * 1024 ** 2;
/** A disk with little room isn't made fuller. */
const leastFree = 4 * size;

export function keepReserve(store: string): void {
  const file = reserveOf(store);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= size) return;
  try {
    const { bavail, bsize } = statfsSync(path.dirname(store));
    if (bavail * bsize < leastFree) return;
    writeFileSync(file, Buffer.alloc(size), { mode: 0o600 });
  } catch {
    // It is only a reserve; what wrote half of it is taken back.
    releaseReserve(store);
  }
}

/** True where there was one. */
export function releaseReserve(store: string): boolean {
  const file = reserveOf(store);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
  try {
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}

function reserveOf(store: string): string {
  return `${store}-reserve`;
}
