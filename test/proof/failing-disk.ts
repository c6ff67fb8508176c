/** The disk of processes that loaded `failing-disk-preload.ts`, made slow or full while they run. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

export interface DiskFaults {
  /** Duration of each SQLite commit and each file sync. */
  readonly commitMs: number;
  /** Maximum number of pages of a database, as on a full disk; 0 means no limit. */
  readonly mostPages: number;
}

export interface FailingDisk extends Disposable {
  /** Environment for the processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Applies from the next write. */
  set(faults: Partial<DiskFaults>): void;
  /** Number of delayed commits so far. */
  slowCommits(): number;
}

export function createFailingDisk(file: string): FailingDisk {
  const descriptor = openSync(file, 'w');
  const preload = path.join(import.meta.dirname, 'failing-disk-preload.ts');
  // Written in place with constant length, so that nobody reads half of it.
  const set = ({ commitMs = 0, mostPages = 0 }: Partial<DiskFaults>) =>
    void writeSync(descriptor, JSON.stringify({ commitMs, mostPages }).padEnd(100), 0);
  set({});
  return {
    // Set in the environment, so the writer's thread loads it too.
    env: { RONDO_TEST_DISK: file, NODE_OPTIONS: `--import ${preload}` },
    set,
    slowCommits: () => statSync(`${file}.commits`, { throwIfNoEntry: false })?.size ?? 0,
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}
