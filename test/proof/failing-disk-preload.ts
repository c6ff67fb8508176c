/**
 * Loaded with `--import` into every thread of a Rondo. Rondo itself is unchanged. The driver under it waits before
 * each commit, on the committing thread, as if a disk was syncing, and a database has no more pages than its disk
 * has room for, so SQLite itself reports that it is full. Synced files wait as long.
 */
import { appendFileSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import type { DiskFaults } from './failing-disk.ts';

const file = process.env['RONDO_TEST_DISK'];
if (file !== undefined) await spoil(file);

async function spoil(control: string): Promise<void> {
  const descriptor = openSync(control, 'r');
  const bytes = Buffer.alloc(100);
  const faults = () =>
    JSON.parse(bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, 100, 0))) as DiskFaults;

  const waitFor = (ms: number) => {
    if (ms === 0) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    appendFileSync(`${control}.commits`, '.');
  };

  const { prepare } = Database.prototype;
  Database.prototype.prepare = function prepared(this: Database.Database, sql: string) {
    const statement = Reflect.apply(prepare, this, [sql]);
    if (sql === 'COMMIT') before(statement, () => waitFor(faults().commitMs));
    if (sql === 'BEGIN IMMEDIATE') before(statement, () => limit(this, faults().mostPages));
    return statement;
  } as typeof prepare;

  await using handle = await open(control, 'r');
  const files = Object.getPrototypeOf(handle) as FileHandle;
  const { sync } = files;
  files.sync = async function synced(this: FileHandle) {
    await sleep(faults().commitMs);
    return sync.call(this);
  };
}

function before(statement: Database.Statement, first: () => void): void {
  const run = statement.run.bind(statement);
  statement.run = (...values: unknown[]) => {
    first();
    return run(...values);
  };
}

/** SQLite accepts no limit below the current number; 0 would query the limit. */
function limit(database: Database.Database, mostPages: number): void {
  database.pragma(`max_page_count = ${mostPages === 0 ? 1_073_741_823 : mostPages}`);
}
