import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import type { WorkerId } from '../../kernel/ids.ts';
import { openDriver, type Driver } from './driver.ts';
import { sqliteQueueTables } from './job-queue-tables.ts';
import { migrate } from './migrate.ts';
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
