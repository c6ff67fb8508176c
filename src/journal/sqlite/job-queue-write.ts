/** The job queue's writes in a transaction. Applies the rules that all stores share to database rows. */
import { applyRule, type QueueWrite } from '../job-queue-rules.ts';
import { sqliteQueueTables } from './job-queue-tables.ts';
import { noteQueueNews } from './release-own-jobs.ts';
import { makeTable } from './tables-on-demand.ts';
import { ownNumber } from './write-lease.ts';
import type { Writing } from './writing.ts';

export function writeQueue(writing: Writing, write: QueueWrite): unknown {
  makeTable(writing.db, 'jobs');
  // Others use this row to check whether a job's owner is alive. A process without its lease claims nothing.
  if (write[0] === 'claim' && ownNumber(writing) === 'lost') return { ended: [], runsElsewhere: true };
  const { answer, isNews } = applyRule(sqliteQueueTables(writing.db, writing.self), write);
  if (isNews) noteQueueNews(writing);
  return answer;
}
