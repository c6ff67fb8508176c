import type { FailurePolicy, Priority, WorkerKind, WorkerRow } from '../ports/job-queue.ts';
import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { Allotment } from '../kernel/report.ts';
import type { JobHost } from './job-host.ts';
import type { JobProgress } from './job-progress.ts';
import type { Job } from './job.ts';
import type { SessionRequest } from './worker-parts.ts';
import type { WorkerPermissions } from './worker-permissions.ts';
import type { WorkerState } from '../ports/workforce.ts';

/** A named seat: an agent, a model and a history, used for any number of jobs. */
export interface Worker {
  readonly id: WorkerId;
  readonly name: string;
  readonly kind: WorkerKind;
  /** Launches a job. Rejects with a `Fault` if it is refused: the worker is gone, the queue is full. */
  run(prompt: string, host?: JobHost, options?: WorkerRunOptions): Promise<Job>;
  status(): Promise<WorkerStatus | undefined>;
  /** False if another worker has the name. */
  rename(name: string): Promise<boolean>;
  /** Cancels its jobs and removes it from the list. Its session stays readable. */
  delete(): Promise<void>;
}

export interface WorkerRunOptions {
  readonly priority?: Priority;
  /** Jobs that must end first. */
  readonly after?: readonly (Job | JobId)[];
  readonly whenDependencyFails?: FailurePolicy;
  readonly timeoutMs?: number;
  /** `refuse`: reject while it has another job. Default: `queue`. */
  readonly whenBusy?: 'queue' | 'refuse';
  readonly allotment?: Allotment;
  /** Repeating a key returns the same job. */
  readonly key?: string;
  /** The request filed under the key. Stored with the job to tell a repeat from a different request. */
  readonly digest?: string;
}

export interface WorkerOptions extends Omit<SessionRequest, 'parent'> {
  /** Default: `persistent`. */
  readonly kind?: WorkerKind;
  /** The session it works for, which makes it a sub-agent. */
  readonly parent?: SessionId;
  /** True if it may have workers itself. Default: false. */
  readonly maySpawn?: boolean;
  /**
   * What it may do without asking. Default: what its agent's and its session's rules allow. A person is asked about
   * the rest.
   */
  readonly permissions?: WorkerPermissions;
}

export interface WorkerStatus extends WorkerRow {
  readonly state: WorkerState;
  /** Progress of its running job. Absent if none runs here. */
  readonly progress?: Omit<JobProgress, 'tools' | 'openQuestions'> & {
    readonly job: JobId;
    readonly elapsedMs: number;
  };
}
