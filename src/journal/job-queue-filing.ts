/** Files a list of jobs atomically, with dependencies in any order. */
import type { JobId } from '../kernel/ids.ts';
import { dueOnBoot } from './job-queue-deadline.ts';
import { dependencyEnding, endJob } from './job-queue-ending.ts';
import { hasEnded } from './job-queue-state.ts';
import type { QueueTables } from './job-queue-tables.ts';
import {
  type EndOptions,
  type FileAnswer,
  type FileOptions,
  type JobRow,
  type NewJob,
  type QueueCaps,
} from '../ports/job-queue.ts';
import { priorities } from './job-priorities.ts';

export function fileJobs(tables: QueueTables, jobs: readonly NewJob[], options: FileOptions): FileAnswer {
  const rows = jobs.map(({ key }) => (key === undefined ? undefined : tables.jobOfKey(key)));
  const fresh = jobs.filter((_, index) => rows[index] === undefined);
  const problem = problemOf(tables, fresh, options);
  if (problem !== undefined) return problem;
  const filed = new Map<JobId, JobRow>();
  const newIds = new Set(fresh.map(({ id }) => id));
  for (const job of fresh) {
    const after = [...new Set(job.after)];
    const open = after.filter((id) => newIds.has(id) || !hasEnded(tables.job(id)?.state ?? 'queued'));
    const row: JobRow = {
      ...job,
      after,
      state: 'queued',
      filedBy: tables.self,
      place: tables.nextPlace(),
      ...dueOnBoot(job, tables.boot, options),
      blockers: open.length,
      attempt: 0,
      lostAttempts: 0,
      marks: [],
    };
    tables.putJob(row);
    filed.set(row.id, row);
  }
  // A process that files a job again waits for it, and runs it if the first filer is gone.
  for (const row of rows) {
    if (row === undefined || hasEnded(row.state) || row.filedBy === tables.self) continue;
    tables.putJob({ ...row, filedBy: tables.self });
  }
  for (const { id, after } of filed.values()) endWhereDependencyFailed(tables, id, after, options);
  return {
    type: 'filed',
    jobs: jobs.map((job, index) => tables.job(rows[index]?.id ?? job.id) ?? missing(job.id)),
  };
}

/** A dependency may have failed long ago. */
function endWhereDependencyFailed(
  tables: QueueTables,
  id: JobId,
  after: readonly JobId[],
  options: EndOptions,
): void {
  for (const other of after) {
    const row = tables.job(id);
    const dependency = tables.job(other);
    if (row?.state !== 'queued' || dependency?.ending === undefined) continue;
    const ending = dependencyEnding(row, dependency);
    if (ending !== undefined) endJob(tables, row, ending, options);
  }
}

function problemOf(tables: QueueTables, jobs: readonly NewJob[], options: FileOptions): FileAnswer | undefined {
  const ids = new Set(jobs.map(({ id }) => id));
  for (const { id, worker, after } of jobs) {
    if (ids.size < jobs.length || tables.job(id) !== undefined) {
      return refused('duplicate-id', `Job ${id} is filed already, or twice in one filing.`);
    }
    const seat = tables.worker(worker);
    if (seat === undefined) return refused('unknown-worker', `Job ${id}: there is no worker ${worker}.`);
    const isOnce = seat.kind === 'ephemeral';
    const hasAnother = isOnce && jobs.some((other) => other.id !== id && other.worker === worker);
    if (hasAnother || ((isOnce || options.whenBusy === 'refuse') && tables.hasActive(worker))) {
      return refused('busy', `Worker ${worker} has a job already; wait for it, or let this one queue.`);
    }
    const unknown = after.find((other) => !ids.has(other) && tables.job(other) === undefined);
    if (unknown !== undefined) {
      return refused('unknown-dependency', `Job ${id} waits for job ${unknown}, which there is not.`);
    }
  }
  const behind = jobsBehindThemselves(jobs);
  if (behind.length > 0)
    return refused('cycle', `These jobs wait for each other in a circle: ${behind.join(', ')}.`);
  return fullProblem(tables, jobs, options);
}

function fullProblem(tables: QueueTables, jobs: readonly NewJob[], caps: QueueCaps): FileAnswer | undefined {
  if (tables.queuedCount() + jobs.length > caps.queued) {
    return refused(
      'queue-full',
      `The queue holds ${caps.queued} jobs at most, and ${tables.queuedCount()} wait already.`,
    );
  }
  for (const priority of priorities) {
    const more = jobs.filter((job) => job.priority === priority).length;
    const waiting = tables.queuedCount(priority);
    if (more > 0 && waiting + more > caps.queuedPerPriority) {
      const message = `The queue holds ${caps.queuedPerPriority} jobs of priority ${priority} at most, and ${waiting} wait already.`;
      return refused('queue-full', message);
    }
  }
  return undefined;
}

/** Jobs in a dependency cycle: what is left after repeatedly removing jobs without dependencies in this list. */
function jobsBehindThemselves(jobs: readonly NewJob[]): readonly JobId[] {
  let rest = jobs;
  for (;;) {
    const ids = new Set(rest.map(({ id }) => id));
    const held = rest.filter(({ after }) => after.some((id) => ids.has(id)));
    if (held.length === rest.length) return rest.map(({ id }) => id);
    rest = held;
  }
}

function refused(code: Extract<FileAnswer, { type: 'refused' }>['code'], message: string): FileAnswer {
  return { type: 'refused', code, message };
}

function missing(id: JobId): never {
  throw new Error(`Job ${id} was filed but is missing.`);
}
