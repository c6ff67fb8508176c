import type { FailurePolicy, Priority, WorkerKind, WorkerRow } from '../ports/job-queue.ts';
import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { Allotment } from '../kernel/report.ts';
import type { JobHost } from './job-host.ts';
import type { JobProgress } from './job-progress.ts';
import type { Job } from './job.ts';
import type { SessionRequest } from './worker-parts.ts';
import type { WorkerPermissions } from './worker-permissions.ts';
import type { WorkerState } from './worker-state.ts';

/** A named seat: an agent, a model and a history, used for any number of jobs. */
export interface Worker {
  readonly id: WorkerId;
  readonly name: string;
  readonly kind: WorkerKind;
  /** Launches a job. Rejects with a `Fault` where it is refused: the worker is gone, the queue is full. */
  run(prompt: string, host?: JobHost, options?: RunOptions): Promise<Job>;
  status(): Promise<WorkerStatus | undefined>;
  /** False where another worker has the name. */
  rename(name: string): Promise<boolean>;
  /** Cancels its jobs and takes it off the list; its session stays and can be read. */
  delete(): Promise<void>;
}

export interface RunOptions {
  readonly priority?: Priority;
  /** Jobs that must have ended first. */
  readonly after?: readonly (Job | JobId)[];
  readonly whenDependencyFails?: FailurePolicy;
  readonly timeoutMs?: number;
  /** `refuse`: not while it has another job. Default: `queue`. */
  readonly whenBusy?: 'queue' | 'refuse';
  readonly allotment?: Allotment;
  /** The same key again gives the same job. */
  readonly key?: string;
  /** What was asked for under the key: kept with the job, so that a repeat can be told from another request. */
  readonly digest?: string;
}

export interface WorkerOptions extends Omit<SessionRequest, 'parent'> {
  /** Default: `persistent`. */
  readonly kind?: WorkerKind;
  /** The session it works for; it then is a sub-agent. */
  readonly parent?: SessionId;
  /** Whether it may have workers of its own. Default: it may not. */
  readonly maySpawn?: boolean;
  /** What it may do by itself. Default: what its agent's and its session's rules allow; a person is asked about the rest. */
  readonly permissions?: WorkerPermissions;
}

export interface WorkerStatus extends WorkerRow {
  readonly state: WorkerState;
  /** What its running job does now; absent where none runs here. */
  readonly progress?: Omit<JobProgress, 'tools' | 'openQuestions'> & {
    readonly job: JobId;
    readonly elapsedMs: number;
  };
}
