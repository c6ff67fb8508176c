/** The queue's part of a transaction: the same rules as in memory, on database rows. */
import { fileJobs } from '../job-queue-filing.ts';
import {
  cancelJob,
  claimJob,
  isClaimNews,
  letGo,
  markJob,
  noteJob,
  releaseJobs,
  resolveStalled,
  settleJob,
  type LostOwner,
} from '../job-queue-running.ts';
import { changeWorker, dismissWorker, enrolWorker } from '../job-queue-workers.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { sqliteQueueTables } from './job-queue-tables.ts';
import { noteQueueNews } from './release-own-jobs.ts';
import { makeTable } from './tables-on-demand.ts';
import { ownNumber } from './write-lease.ts';
import type { Writing } from './writing.ts';

type Arguments<Name extends keyof JobQueue> = JobQueue[Name] extends (...given: infer Given) => unknown
  ? Given
  : never;

/** An operation of the port with its arguments, for the writer thread. */
export type QueueWrite =
  | readonly ['enrol', Arguments<'enrol'>]
  | readonly ['changeWorker', Arguments<'changeWorker'>]
  | readonly ['dismiss', Arguments<'dismiss'>]
  | readonly ['file', Arguments<'file'>]
  | readonly ['letGo', Arguments<'letGo'>]
  /** `gone`: owners that the leases found gone. */
  | readonly ['claim', [...Arguments<'claim'>, gone: readonly LostOwner[]]]
  | readonly ['note', Arguments<'note'>]
  | readonly ['settle', Arguments<'settle'>]
  | readonly ['cancel', Arguments<'cancel'>]
  | readonly ['resolve', Arguments<'resolve'>]
  | readonly ['release', Arguments<'release'>]
  | readonly ['mark', Arguments<'mark'>];

export function writeQueue(writing: Writing, [name, given]: QueueWrite): unknown {
  makeTable(writing.db, 'jobs');
  const tables = sqliteQueueTables(writing.db, writing.self);
  if (isNews(name)) noteQueueNews(writing);
  switch (name) {
    case 'enrol':
      return enrolWorker(tables, ...given);
    case 'changeWorker':
      return changeWorker(tables, ...given);
    case 'dismiss':
      return dismissWorker(tables, ...given);
    case 'file':
      return fileJobs(tables, ...given);
    case 'letGo':
      return letGo(tables, ...given);
    case 'claim': {
      // Others use this row to check whether a job's owner is alive. A process without its lease claims nothing.
      if (ownNumber(writing) === 'lost') return { ended: [], runsElsewhere: true };
      const result = claimJob(tables, ...given);
      if (isClaimNews(result)) noteQueueNews(writing);
      return result;
    }
    case 'note':
      return noteJob(tables, ...given);
    case 'settle':
      return settleJob(tables, ...given);
    case 'cancel':
      return cancelJob(tables, ...given);
    case 'resolve':
      return resolveStalled(tables, ...given);
    case 'release':
      return releaseJobs(tables);
    case 'mark':
      return markJob(tables, ...given);
  }
}

/** Whether other processes may want to look. Most claims and marks concern nobody else. */
function isNews(name: QueueWrite[0]): boolean {
  return name !== 'claim' && name !== 'mark';
}
