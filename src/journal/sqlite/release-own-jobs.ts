import { releaseJobs } from '../job-queue-running.ts';
import { sqliteQueueTables } from './job-queue-tables.ts';
import { hasTable } from './tables-on-demand.ts';
import type { Writing } from './writing.ts';

/** A leaving process frees its jobs in the same transaction. */
export function releaseOwnJobs(writing: Writing): void {
  if (!hasTable(writing.db, 'jobs')) return;
  const tables = sqliteQueueTables(writing.db, writing.self);
  if (tables.owned().length === 0) return;
  releaseJobs(tables);
  noteQueueNews(writing);
}

/** Listeners of the queue compare this number. */
export function noteQueueNews({ db }: Writing): void {
  db.run('UPDATE queue_changes SET number = number + 1');
}
