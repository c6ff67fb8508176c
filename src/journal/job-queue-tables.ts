import type { JobId, WorkerId } from '../kernel/ids.ts';
import type { JobQuery, JobRow, Priority, RunLimits, WorkerQuery, WorkerRow } from '../ports/job-queue.ts';

/**
 * The rows that the queue's rules work on, inside one transaction of the adapter. `put` replaces the row with the
 * same id.
 */
export interface QueueTables {
  /** This process. */
  readonly self: string;
  /** The boot of this machine. */
  readonly boot: string;
  worker(id: WorkerId): WorkerRow | undefined;
  /** Oldest first. */
  workers(query: WorkerQuery): readonly WorkerRow[];
  putWorker(row: WorkerRow): void;
  dropWorker(id: WorkerId): void;
  job(id: JobId): JobRow | undefined;
  jobOfKey(key: string): JobRow | undefined;
  jobs(query: JobQuery): readonly JobRow[];
  putJob(row: JobRow): void;
  /** Higher than all before. */
  nextPlace(): number;
  /** Queued jobs that wait for this one. */
  dependents(job: JobId): readonly JobRow[];
  queuedCount(priority?: Priority): number;
  /** Highest priority first, then oldest, among jobs that no limit blocks. */
  nextReady(limits: RunLimits, filedBy: string | undefined): JobRow | undefined;
  /** Running, without an owner or with a dead one. */
  abandoned(gone: readonly string[]): readonly JobRow[];
  /** Whether another process runs any job; `filedBy` limits it to jobs filed by that process. */
  runsElsewhere(filedBy: string | undefined): boolean;
  /** The queued job with the earliest deadline, if any has one. */
  nextDue(filedBy: string | undefined): JobRow | undefined;
  /** Running in this process. */
  owned(): readonly JobRow[];
  /** Ended and listed, newest first. */
  listedEnded(worker: WorkerId): readonly JobRow[];
  hasActive(worker: WorkerId): boolean;
}

/** A queued job without dependencies, or a stalled one to resume. */
export function isReady(row: JobRow): boolean {
  if (row.state === 'stalled') return row.resume !== undefined;
  return row.state === 'queued' && row.blockers === 0 && row.held !== true;
}

export function providerLimit({ perProvider, providers }: RunLimits, provider: string): number {
  return providers?.[provider] ?? perProvider;
}
