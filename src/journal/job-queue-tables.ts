import type { JobId, WorkerId } from '../kernel/ids.ts';
import type { JobQuery, JobRow, Priority, RunLimits, WorkerQuery, WorkerRow } from './job-queue.ts';

/**
 * What the rules of the queue are written on: rows, read and replaced one after another inside one
 * transaction of the adapter. A row that is put replaces the one of the same id.
 */
export interface QueueTables {
  /** This process. */
  readonly self: string;
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
  /** Highest priority first, then the oldest, of those that no limit holds back. */
  nextReady(limits: RunLimits, filedBy: string | undefined): JobRow | undefined;
  /** Under way, with an owner that is gone or without one. */
  abandoned(gone: readonly string[]): readonly JobRow[];
  /** Whether any job under way belongs to another process. `filedBy`: among those filed by it. */
  runsElsewhere(filedBy: string | undefined): boolean;
  /** Queued, and their deadline has passed. */
  overdue(now: number): readonly JobRow[];
  /** Under way here. */
  owned(): readonly JobRow[];
  /** Ended and listed, the newest first. */
  listedEnded(worker: WorkerId): readonly JobRow[];
  hasActive(worker: WorkerId): boolean;
  /** The earliest deadline of a queued job. */
  nextTime(): number | undefined;
}

/** A queued job that waits for nothing, or a stalled one that is to be taken up again. */
export function isReady(row: JobRow): boolean {
  if (row.state === 'stalled') return row.resume !== undefined;
  return row.state === 'queued' && row.blockers === 0 && row.held !== true;
}

export function providerLimit({ perProvider, providers }: RunLimits, provider: string): number {
  return providers?.[provider] ?? perProvider;
}
