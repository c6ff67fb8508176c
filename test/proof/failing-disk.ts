/** The disk of processes that loaded `failing-disk-preload.ts`, made slow or full while they run. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

export interface DiskFaults {
  /** How long the disk takes for each commit of SQLite and for each file that is synced. */
  readonly commitMs: number;
  /** Pages that a database may have at most, as on a disk without room for more; 0: as many as it wants. */
  readonly mostPages: number;
}

export interface FailingDisk extends Disposable {
  /** What they are started with. */
  readonly env: Readonly<Record<string, string>>;
  /** From the next write on. */
  set(faults: Partial<DiskFaults>): void;
  /** Commits that were made to wait so far. */
  slowCommits(): number;
}

export function createFailingDisk(file: string): FailingDisk {
  const descriptor = openSync(file, 'w');
  const preload = path.join(import.meta.dirname, 'failing-disk-preload.ts');
  // In place and always as long, so that nobody reads half of it.
  const set = ({ commitMs = 0, mostPages = 0 }: Partial<DiskFaults>) =>
    void writeSync(descriptor, JSON.stringify({ commitMs, mostPages }).padEnd(100), 0);
  set({});
  return {
    // As an option of the environment it is loaded into the writer's thread, too.
    env: { RONDO_TEST_DISK: file, NODE_OPTIONS: `--import ${preload}` },
    set,
    slowCommits: () => statSync(`${file}.commits`, { throwIfNoEntry: false })?.size ?? 0,
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}
