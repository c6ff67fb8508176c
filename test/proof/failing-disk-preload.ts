/**
 * Loaded with `--import` into every thread of a Rondo. Rondo itself is as it always is; the driver under it waits
 * before each commit, on the thread that commits, as it does while a disk syncs, and a database has no more pages
 * than its disk has room for: SQLite itself says that it is full. Synced files wait as long.
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

/** SQLite takes no fewer than there are; 0 would tell it to say how many it may have. */
function limit(database: Database.Database, mostPages: number): void {
  database.pragma(`max_page_count = ${mostPages === 0 ? 1_073_741_823 : mostPages}`);
}
