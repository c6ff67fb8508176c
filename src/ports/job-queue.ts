/**
 * The JobQueue port: durable workers and jobs.
 *
 * 1. Every operation is atomic across processes: a job has one owner, a name one worker.
 * 2. `claim` returns the startable job with the highest priority, then the oldest: its dependencies ended, its
 *    worker is free, no limit is reached. The job becomes `running` and belongs to the process.
 * 3. A job has no lease. It stays with its process until the store's leases find that process gone; then it is
 *    claimed again with a higher attempt, and reports of an older attempt are `lost`. A job whose process died too
 *    often becomes a dead letter. A process that closes frees its jobs, and nothing is counted.
 * 4. Cancel wins: a cancelled job settles as cancelled, whatever its result.
 * 5. When a job ends, its dependents become ready or end by their policy.
 * 6. Ended jobs are kept. The newest few of each worker are listed, the others are found by id.
 * 7. A deadline is a duration from the filing. On the boot that filed the job it follows `uptime`, so setting the
 *    clock neither brings it forward nor puts it off. Elsewhere the time of day is all there is.
 *
 * An operation is one message with one answer: no caller reads rows and writes them back later. So a queue can be
 * an actor: one writer per named queue that keeps these rows as its state over a journal.
 */
import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { Ending, Spending } from '../kernel/outcome.ts';
import type { Allotment } from '../kernel/report.ts';
import type { BootTime, Time } from '../kernel/time.ts';

export interface JobQueue {
  /** A name is unique among the workers of one parent. */
  enrol(worker: WorkerRow): Promise<EnrolAnswer>;
  worker(id: WorkerId): Promise<WorkerRow | undefined>;
  /** Oldest first. `parent: null`: workers without a parent. */
  workers(query?: WorkerQuery): Promise<readonly WorkerRow[]>;
  changeWorker(id: WorkerId, change: WorkerChange): Promise<EnrolAnswer | { readonly type: 'not-found' }>;
  /** Removes the worker from the list. Its jobs must have ended. */
  dismiss(id: WorkerId): Promise<{ readonly type: 'dismissed' | 'busy' | 'not-found' }>;

  /** All or none. A known key returns its job. */
  file(jobs: readonly NewJob[], options: FileOptions): Promise<FileAnswer>;
  /** Makes a held job claimable. */
  letGo(job: JobId): Promise<void>;
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** Records news about a running job. */
  note(ticket: Ticket, change: JobNote): Promise<NoteAnswer>;
  settle(ticket: Ticket, end: JobEnd): Promise<SettleAnswer>;
  /** Ends a queued job at once. Any other is marked, and its owner, or the next one, ends its turn first. */
  cancel(job: JobId, request: EndOptions & { readonly reason?: string }): Promise<CancelAnswer>;
  /** Resolves a stalled job. `continue` and `condense` make it claimable again; `archive` cancels and hides it. */
  resolve(job: JobId, resolution: StallResolution): Promise<CancelAnswer>;
  /** Frees this process's jobs, to be claimed again at once. */
  release(): Promise<void>;
  /** True the first time for this job and key. */
  mark(job: JobId, key: string): Promise<boolean>;

  job(id: JobId): Promise<JobRow | undefined>;
  /** In filing order. */
  jobs(query?: JobQuery): Promise<readonly JobRow[]>;
  /** Something may be there to claim, stop or read, from any process. */
  onChange(listener: () => void): () => void;
}

export type Priority = 'urgent' | 'high' | 'normal' | 'low';

export type WorkerKind = 'persistent' | 'ephemeral' | 'system';

export interface WorkerRow {
  readonly id: WorkerId;
  readonly name: string;
  readonly kind: WorkerKind;
  /** Default: the store's default agent. */
  readonly agent?: string;
  readonly model?: string;
  /** Its session; absent until its first job. */
  readonly session?: SessionId;
  readonly parent?: SessionId;
  /** The number of sessions above it. */
  readonly depth: number;
  readonly maySpawn: boolean;
  readonly createdAt: number;
  /** When its group last focused it. */
  readonly focusedAt?: number;
  /** Its session's setup beyond agent and model; opaque here. */
  readonly setup: unknown;
}

export interface WorkerQuery {
  readonly parent?: SessionId | null;
  readonly session?: SessionId;
}

export type WorkerChange = Partial<Pick<WorkerRow, 'name' | 'session' | 'focusedAt'>>;

export type EnrolAnswer =
  | { readonly type: 'enrolled'; readonly worker: WorkerRow }
  | { readonly type: 'name-taken'; readonly by: WorkerId };

export interface NewJob {
  readonly id: JobId;
  readonly worker: WorkerId;
  readonly prompt: string;
  readonly priority: Priority;
  readonly filedAt: number;
  /** Jobs that must end first: from the same filing in any order, or filed before. */
  readonly after: readonly JobId[];
  /** What happens if one of them fails. `skip` cancels this job, `fail` fails it. */
  readonly whenDependencyFails: FailurePolicy;
  readonly deadline?: Time;
  /** Jobs with the same provider share its limit. */
  readonly provider?: string;
  readonly parent?: SessionId;
  readonly allotment?: Allotment;
  readonly key?: string;
  /** The digest of the request under the key; opaque here. */
  readonly digest?: string;
  /** Not claimable before `letGo`. */
  readonly held?: boolean;
}

export type FailurePolicy = 'skip' | 'run-anyway' | 'fail';

export interface JobRow extends NewJob {
  readonly state: JobState;
  /** The process that filed it. */
  readonly filedBy: string;
  /** Its position in filing order. */
  readonly place: number;
  /** The deadline on the clock of a boot: the one that filed it, then the one that claimed it. */
  readonly due?: BootTime;
  /** How many of `after` haven't ended. */
  readonly blockers: number;
  /** Incremented with every claim; an older attempt is fenced off. */
  readonly attempt: number;
  /** Consecutive attempts that ended with their process. */
  readonly lostAttempts: number;
  /** The process that runs it. */
  readonly owner?: string;
  readonly run?: JobRun;
  /** How to resume a stalled job. */
  readonly resume?: 'continue' | 'condense';
  readonly cancel?: { readonly reason?: string };
  readonly ending?: Ending;
  readonly spent?: Spending;
  readonly endedAt?: number;
  /** Lost with its process too often: the next owner ends its turn and settles it. */
  readonly givenUp?: boolean;
  /** Ended because it was given up. */
  readonly dead?: boolean;
  /** Not listed any more, only found by id. */
  readonly archived?: boolean;
  readonly marks: readonly string[];
}

/** The job's position in the worker's session. */
export interface JobRun {
  readonly session: SessionId;
  /** The number of this job's prompt, from 1. */
  readonly round: number;
  /** Sequence of that prompt. */
  readonly prompt: number;
  readonly startedAt: number;
  /** The session's usage before the job. */
  readonly spentBefore: Spending;
}

export interface QueueCaps {
  readonly queued: number;
  readonly queuedPerPriority: number;
}

export interface FileOptions extends QueueCaps, EndOptions {
  /** Milliseconds since this machine started. */
  readonly uptime: number;
  /** `refuse`: a worker with an unfinished job accepts no other, as ephemeral ones never do (default: queue). */
  readonly whenBusy?: 'queue' | 'refuse';
}

export interface RunLimits {
  readonly running: number;
  readonly perProvider: number;
  readonly providers?: Readonly<Record<string, number>>;
}

/** Any operation may end jobs. */
export interface EndOptions {
  readonly at: number;
  /** How many ended jobs of a worker stay listed. */
  readonly keepEnded: number;
}

export interface ClaimRequest extends EndOptions {
  /** Milliseconds since this machine started. */
  readonly uptime: number;
  readonly limits: RunLimits;
  /** `own`: only jobs that this process filed. */
  readonly whose: 'own' | 'all';
  /** Consecutive attempts lost with their process before a job becomes a dead letter. */
  readonly maxLostAttempts: number;
}

export interface ClaimResult {
  readonly job?: JobRow;
  /** Jobs that ended during the claim: their deadline passed before they started. */
  readonly ended: readonly JobRow[];
  /** The earliest deadline of a queued job that this request could claim. */
  readonly nextAt?: number;
  /** Other processes run jobs that this request could claim, and may die without notice. */
  readonly runsElsewhere: boolean;
}

export interface Ticket {
  readonly job: JobId;
  readonly attempt: number;
}

export type JobNote =
  | { readonly type: 'moved'; readonly to: 'running' | 'waiting' | 'stalled' }
  | { readonly type: 'started'; readonly run: JobRun };

export type NoteAnswer =
  | { readonly type: 'noted'; readonly job: JobRow }
  | { readonly type: 'lost' }
  | JobMoveError;

export interface JobEnd extends EndOptions {
  readonly ending: Ending;
  readonly spent: Spending;
}

export type SettleAnswer =
  /** The job first, then jobs that ended because of it. */
  { readonly type: 'settled'; readonly ended: readonly JobRow[] } | { readonly type: 'lost' };

export type CancelAnswer =
  | { readonly type: 'ended'; readonly ended: readonly JobRow[] }
  | { readonly type: 'marked'; readonly job: JobRow }
  | { readonly type: 'not-found' }
  | JobMoveError;

export type StallResolution = 'continue' | 'condense' | 'archive' | 'leave';

export type FileAnswer =
  | { readonly type: 'filed'; readonly jobs: readonly JobRow[] }
  | { readonly type: 'refused'; readonly code: FileRefusal; readonly message: string };

export type FileRefusal =
  | 'busy'
  | 'queue-full'
  | 'unknown-worker'
  | 'unknown-dependency'
  | 'cycle'
  | 'duplicate-id';

export interface JobQuery {
  readonly worker?: WorkerId;
  readonly parent?: SessionId;
  /** `active`: not ended. `listed`: active, and the newest ended ones. */
  readonly which?: 'active' | 'listed' | 'dead' | 'all';
}

/** A job's state; `journal/job-queue-state.ts` lists the legal transitions. */
export type JobState =
  | 'queued'
  | 'running'
  /** For an answer or for its own workers. It doesn't count as running. */
  | 'waiting'
  /** No activity. It continues by itself, is resumed, or is given up. */
  | 'stalled'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'timed-out';

export interface JobMoveError {
  readonly type: 'illegal-move';
  readonly state: JobState;
  readonly to: JobState;
  readonly reason: string;
}
