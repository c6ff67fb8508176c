import { randomUUID } from 'node:crypto';

import type { JobRow, WorkerRow } from '../../ports/job-queue.ts';
import { createFileBlobs } from '../file-blobs.ts';
import { isDead, ownIdentity } from '../process-identity.ts';
import { ownerOf, type ProcessRow } from '../process-row.ts';
import { orFault } from '../store-fault.ts';
import { createPrivately } from '../sqlite/create-privately.ts';
import { openDriver, type Driver } from '../sqlite/driver.ts';
import { sqliteQueueTables } from '../sqlite/job-queue-tables.ts';
import { migrate } from '../sqlite/migrate.ts';
import { setStoreState, storeState } from '../sqlite/store-state.ts';
import { hasTable, makeTable, type OnDemand } from '../sqlite/tables-on-demand.ts';
import { blobFolderOf } from '../sqlite/write-blobs.ts';
import {
  columnsOf,
  tableShapes,
  type CopiedRow,
  type CopiedTable,
  type CopySide,
  type TableShape,
} from './copied-tables.ts';
import { selectRows, type Dialect } from './select-rows.ts';

const dialect: Dialect = {
  table: (name) => name,
  bytewise: (column) => column,
  parameter: () => '?',
  workerPlace: 't.number',
};

export function openSqliteSide(file: string): CopySide {
  const db = orFault('Opening the store', file, () => {
    createPrivately(file);
    const opened = openDriver(file, { busyTimeoutMs: 5000 });
    migrate(opened, file);
    return opened;
  });
  const rows = (table: CopiedTable, sql: string, ...values: readonly (string | number | null)[]) =>
    isThere(db, table) ? db.all<CopiedRow>(sql, ...values) : [];
  const own = { id: `copy-${randomUUID()}`, ...ownIdentity() };
  const leave = async () => void db.run('DELETE FROM processes WHERE id = ?', own.id);
  return {
    name: `sqlite:${file}`,
    blobs: createFileBlobs(blobFolderOf(file)),
    async enter() {
      db.run(insertProcess, own.id, own.pid, own.startedAt, own.bootId, own.host, Date.now());
    },
    state: async () => storeState(db),
    async setState(state) {
      setStoreState(db, state);
    },
    async living() {
      const all = db.all<ProcessRow>('SELECT * FROM processes');
      const living = all.filter((row) => row.id !== own.id && !isDead(ownerOf(row), own));
      return living.map(({ pid, host }) => `process ${pid} on ${host}`);
    },
    async page(table, after, limit) {
      if (after === undefined) return rows(table, selectRows(dialect, table, 'start'), limit);
      const { key }: TableShape = tableShapes[table];
      return rows(
        table,
        selectRows(dialect, table, 'after'),
        ...key.map((column) => after[column] ?? null),
        limit,
      );
    },
    last: async (table) => rows(table, selectRows(dialect, table, 'end'), 1)[0],
    put: (table, given) =>
      Promise.resolve(orFault('Copying', file, () => inTransaction(db, () => putRows(db, table, given)))),
    leave,
    async [Symbol.asyncDispose]() {
      await leave();
      db.close();
    },
  };
}

const onDemand: Partial<Readonly<Record<CopiedTable, OnDemand>>> = {
  blob_references: 'blob_references',
  workers: 'jobs',
  jobs: 'jobs',
};

function isThere(db: Driver, table: CopiedTable): boolean {
  const name = onDemand[table];
  return name === undefined || hasTable(db, name);
}

function inTransaction(db: Driver, work: () => void): void {
  db.run('BEGIN IMMEDIATE');
  try {
    work();
    db.run('COMMIT');
  } catch (error) {
    db.run('ROLLBACK');
    throw error;
  }
}

function putRows(db: Driver, table: CopiedTable, rows: readonly CopiedRow[]): void {
  const needed = onDemand[table];
  if (needed !== undefined && rows.length > 0) makeTable(db, needed);
  if (table === 'workers' || table === 'jobs') {
    const tables = sqliteQueueTables(db, { id: '', ...ownIdentity() });
    for (const { place, body } of rows) {
      if (table === 'jobs') tables.putJob(JSON.parse(String(body)) as JobRow);
      else {
        const { id, name, parent = null, session = null } = JSON.parse(String(body)) as WorkerRow;
        db.run(insertWorker, place ?? null, id, name, parent, session, String(body));
      }
    }
    return;
  }
  const columns = columnsOf(table);
  const shape: TableShape = tableShapes[table];
  const value = (column: string) =>
    shape.scoped === true && column === 'session' ? '(SELECT number FROM sessions WHERE id = ?)' : '?';
  const sql = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(value).join(', ')})`;
  for (const row of rows) db.run(sql, ...columns.map((column) => row[column] ?? null));
}

const insertProcess = `
  INSERT OR IGNORE INTO processes (id, pid, started_at, boot_id, host, expires_at, taken) VALUES (?, ?, ?, ?, ?, ?, 0)`;
const insertWorker =
  'INSERT OR IGNORE INTO workers (number, id, name, parent, session, body) VALUES (?, ?, ?, ?, ?, ?)';
