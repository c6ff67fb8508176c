/**
 * Disk space reserved next to a store for a full disk. Removing sessions writes to the log first, so without a
 * reserve `rondo prune` couldn't free anything. A server creates it at start, and every prune at its end.
 */
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const size = 8 * 1024 ** 2;
/** Create no reserve on a nearly full disk. */
const leastFree = 4 * size;

export function keepReserve(store: string): void {
  const file = reserveOf(store);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= size) return;
  try {
    const { bavail, bsize } = statfsSync(path.dirname(store));
    if (bavail * bsize < leastFree) return;
    writeFileSync(file, Buffer.alloc(size), { mode: 0o600 });
  } catch {
    // The reserve is optional, so remove a partial one.
    releaseReserve(store);
  }
}

/** True if there was a reserve. */
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
