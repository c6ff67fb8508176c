import type { JobState } from '../ports/job-queue.ts';
import type { CancelAnswer, JobRow, StallResolution } from '../ports/job-queue.ts';
import { noSpending } from '../kernel/budget.ts';
import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { Ending, Spending } from '../kernel/outcome.ts';
import type { Allotment } from '../kernel/report.ts';
import type { Receipt } from '../session/receipt.ts';

/** One piece of work for a worker. The handle is light: the queue stores the job, the session its text. */
export interface Job {
  readonly id: JobId;
  readonly worker: WorkerId;
  /** The digest that was filed with its key. */
  readonly digest?: string;
  state(): Promise<JobState>;
  /** Works for any number of waiters, in any process, also long after the end. */
  wait(): Promise<JobResult>;
  /** Cancels the model call, the tools' processes and the children. The job then ends as cancelled. */
  cancel(reason?: string): Promise<CancelAnswer>;
  /** Runs once per key when the job has ended, or at once if it already has. False if the key was already used. */
  onEnd(key: string, call: (result: JobResult) => void): Promise<boolean>;
  /** Decides how to handle the stalled job. */
  resolve(resolution: StallResolution): Promise<CancelAnswer>;
  /** Extends the job's budget from its parent's, if it has one. The new total replaces the old one. */
  extend(allotment: Allotment): Promise<Receipt>;
}

export interface JobResult {
  readonly job: JobId;
  readonly worker: WorkerId;
  readonly ending: Ending;
  /** The worker's last text. */
  readonly text: string;
  readonly spent: Spending;
  readonly session?: SessionId;
}

export function resultOfRow(row: JobRow, text: string): JobResult {
  return {
    job: row.id,
    worker: row.worker,
    ending: row.ending ?? { type: 'completed' },
    text,
    spent: row.spent ?? noSpending,
    ...optional({ session: row.run?.session }),
  };
}
