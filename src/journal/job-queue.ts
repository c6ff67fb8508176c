/**
 * The JobQueue port: workers and their jobs, kept.
 *
 * 1. Every operation is atomic, also between processes: a job has one owner, a name one worker.
 * 2. `claim` gives the job of the highest priority, then the oldest, that may start: what it waits for
 *    has ended, its worker is free, no limit is reached. It moves to `running` and belongs to the process.
 * 3. A job has no lease. It stays with its process until that process is gone, as the store's leases decide,
 *    and is then claimed again, with a higher attempt; what an older attempt reports is `lost`. A job whose
 *    process died too often ends as a dead letter. A process that closes frees its jobs, and nothing is counted.
 * 4. Cancel wins: a job that was cancelled settles as cancelled, whatever it came to.
 * 5. When a job ends, jobs that waited for it become ready, or end as their policy says.
 * 6. Ended jobs stay; the newest few of each worker are listed, the others are found by id.
 *
 * An operation is one message with its whole answer: no caller reads rows and writes them back later. So a
 * queue can be an actor: one writer per named queue, which keeps these rows as its state over a journal.
 */
import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { Ending, Spending } from '../kernel/outcome.ts';
import type { Allotment } from '../kernel/report.ts';
import type { JobMoveError, JobState } from './job-queue-state.ts';
import type { Time } from '../kernel/time.ts';

export interface JobQueue {
  /** A name is taken once among the workers of one parent. */
  enrol(worker: WorkerRow): Promise<EnrolAnswer>;
  worker(id: WorkerId): Promise<WorkerRow | undefined>;
  /** Oldest first. `parent: null`: those without one. */
  workers(query?: WorkerQuery): Promise<readonly WorkerRow[]>;
  changeWorker(id: WorkerId, change: WorkerChange): Promise<EnrolAnswer | { readonly type: 'not-found' }>;
  /** Takes the worker off the list; its jobs must have ended. */
  dismiss(id: WorkerId): Promise<{ readonly type: 'dismissed' | 'busy' | 'not-found' }>;

  /** All or none. A key that was used before gives the job it was used for. */
  file(jobs: readonly NewJob[], options: FileOptions): Promise<FileAnswer>;
  /** A held job may be claimed from now on. */
  letGo(job: JobId): Promise<void>;
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** What became known of a job under way. */
  note(ticket: Ticket, change: JobNote): Promise<NoteAnswer>;
  settle(ticket: Ticket, end: JobEnd): Promise<SettleAnswer>;
  /** A queued or stalled job ends at once; one that runs is marked and its owner must stop it. */
  cancel(job: JobId, request: EndOptions & { readonly reason?: string }): Promise<CancelAnswer>;
  /** What to do with a stalled job. `continue` and `condense` make it claimable again. */
  resolve(job: JobId, resolution: StallResolution, options: EndOptions): Promise<CancelAnswer>;
  /** Gives up what this process runs, to be claimed again at once. */
  release(): Promise<void>;
  /** True the first time for this job and key. */
  mark(job: JobId, key: string): Promise<boolean>;

  job(id: JobId): Promise<JobRow | undefined>;
  /** In the order they were filed. */
  jobs(query?: JobQuery): Promise<readonly JobRow[]>;
  /** Something may be there to claim, to stop or to read, from whatever process. */
  onChange(listener: () => void): () => void;
}

export const priorities = ['urgent', 'high', 'normal', 'low'] as const;
export type Priority = (typeof priorities)[number];

export type WorkerKind = 'persistent' | 'ephemeral' | 'system';

export interface WorkerRow {
  readonly id: WorkerId;
  readonly name: string;
  readonly kind: WorkerKind;
  /** Default: the store's default agent. */
  readonly agent?: string;
  readonly model?: string;
  /** Where its history is; absent until its first job. */
  readonly session?: SessionId;
  readonly parent?: SessionId;
  /** How many sessions stand above it. */
  readonly depth: number;
  readonly maySpawn: boolean;
  readonly createdAt: number;
  /** When it was last given the focus of its group. */
  readonly focusedAt?: number;
  /** What its session is set up with beyond agent and model; opaque here. */
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
  /** Jobs that must have ended first; of the same filing in any order, or filed before. */
  readonly after: readonly JobId[];
  /** When one of them did not complete. `skip`: this one is cancelled. `fail`: it fails. */
  readonly whenDependencyFails: FailurePolicy;
  readonly deadline?: Time;
  /** Jobs that share a provider share its limit. */
  readonly provider?: string;
  readonly parent?: SessionId;
  readonly allotment?: Allotment;
  readonly key?: string;
  /** What was asked for under the key; opaque here. */
  readonly digest?: string;
  /** Not to be claimed before `letGo`. */
  readonly held?: boolean;
}

export type FailurePolicy = 'skip' | 'run-anyway' | 'fail';

export interface JobRow extends NewJob {
  readonly state: JobState;
  /** The process that filed it. */
  readonly filedBy: string;
  /** Place in the order of filing. */
  readonly place: number;
  /** How many of `after` have not ended. */
  readonly blockers: number;
  /** Raised with every claim: an older one is fenced off. */
  readonly attempt: number;
  /** Attempts in a row that ended with their process. */
  readonly lostAttempts: number;
  /** The process it runs in. */
  readonly owner?: string;
  readonly run?: JobRun;
  /** How a stalled job is to be taken up again. */
  readonly resume?: 'continue' | 'condense';
  readonly cancel?: { readonly reason?: string };
  readonly ending?: Ending;
  readonly spent?: Spending;
  readonly endedAt?: number;
  /** Lost with its process too often: who claims it ends its turn and settles it. */
  readonly givenUp?: boolean;
  /** Ended because it was given up. */
  readonly dead?: boolean;
  /** No longer listed, only found by id. */
  readonly archived?: boolean;
  readonly marks: readonly string[];
}

/** Where the job's work is in the worker's session. */
export interface JobRun {
  readonly session: SessionId;
  /** Which prompt of this job it is, from 1. */
  readonly round: number;
  /** Sequence of that prompt. */
  readonly prompt: number;
  readonly startedAt: number;
  /** What the session had used before the job. */
  readonly spentBefore: Spending;
}

export interface QueueCaps {
  readonly queued: number;
  readonly queuedPerPriority: number;
}

export interface FileOptions extends QueueCaps, EndOptions {
  /** `refuse`: a worker that has a job which has not ended takes no other, as an ephemeral one never does. Default: it queues. */
  readonly whenBusy?: 'queue' | 'refuse';
}

export interface RunLimits {
  readonly running: number;
  readonly perProvider: number;
  readonly providers?: Readonly<Record<string, number>>;
}

/** Jobs may end by the way of any operation. */
export interface EndOptions {
  readonly at: number;
  /** How many ended jobs of a worker stay listed. */
  readonly keepEnded: number;
}

export interface ClaimRequest extends EndOptions {
  readonly limits: RunLimits;
  /** `own`: only jobs that this process filed. */
  readonly whose: 'own' | 'all';
  /** Attempts in a row lost with their process after which a job is a dead letter. */
  readonly maxLostAttempts: number;
}

export interface ClaimResult {
  readonly job?: JobRow;
  /** Jobs that ended by the way: their deadline passed before they started. */
  readonly ended: readonly JobRow[];
  /** The earliest deadline that may change the answer. */
  readonly nextAt?: number;
  /** Jobs that this request could claim run in other processes, which may die without a word. */
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
  /** The job first, then those that ended because of it. */
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
  /** `active`: not ended. `listed`: active, and the newest that ended. */
  readonly which?: 'active' | 'listed' | 'dead' | 'all';
}
