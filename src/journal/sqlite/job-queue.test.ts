import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { WorkerId } from '../../kernel/ids.ts';
import type { WorkerRow } from '../../ports/job-queue.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openDriver, type Driver } from './driver.ts';
import { createSqliteJobQueue } from './job-queue.ts';
import { sqliteQueueTables } from './job-queue-tables.ts';
import { migrate } from './migrate.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { StoreParts } from './store-parts.ts';
import { makeTable } from './tables-on-demand.ts';

test('[P10] unfinished jobs of any worker are found by their index', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-jobs-'));
  const db = openDriver(path.join(folder, 'store.db'), { busyTimeoutMs: 100 });
  migrate(db, 'store.db');
  makeTable(db, 'jobs');
  const queries: string[] = [];
  const watched: Driver = {
    ...db,
    all: <Row>(sql: string, ...values: readonly (string | number | null)[]) => {
      queries.push(
        ...db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail),
      );
      return db.all<Row>(sql, ...values);
    },
  };
  const tables = sqliteQueueTables(watched, { id: 'self', bootId: 'boot', pid: 1, startedAt: '1', host: 'here' });
  expect(tables.jobs({ which: 'active' })).toEqual([]);
  expect(tables.jobs({ which: 'active', worker: 'wrk_a' as WorkerId })).toEqual([]);
  expect(queries).toEqual(['SCAN jobs USING INDEX jobs_active', 'SCAN jobs USING INDEX jobs_active']);
  db.close();
  rmSync(folder, { recursive: true });
});

test('[O14] a change of the queue is reported, even if the looks before it failed', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  await using store = await openSqliteStore({ path: folder.at('store.db') });
  const db = openDriver(folder.at('store.db'), { busyTimeoutMs: 1000 });
  onTestFinished(() => db.close());
  let isAway = true;
  let look: () => void = () => undefined;
  const queue = createSqliteJobQueue({
    bus: { start: () => Promise.resolve(), subscribe: () => () => undefined },
    clock: { every: (_: number, call: () => void) => (look = call) },
    async read<Value>(_: string, work: (db: Driver) => Value) {
      if (isAway) throw new Error('disk I/O error');
      return work(db);
    },
  } as unknown as StoreParts);
  let reports = 0;
  queue.onChange(() => (reports += 1));
  await store.jobs.enrol({ id: 'wrk_a', name: 'ada', kind: 'persistent', enrolledAt: 0 } as unknown as WorkerRow);
  isAway = false;
  look();
  await Promise.resolve();
  look();
  await Promise.resolve();
  expect(reports).toBe(1);
});
