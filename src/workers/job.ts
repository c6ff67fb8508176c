import type { JobState } from '../ports/job-queue.ts';
import type { CancelAnswer, JobRow, StallResolution } from '../ports/job-queue.ts';
import { noSpending } from '../kernel/budget.ts';
import type { JobId, SessionId, WorkerId } from '../kernel/ids.ts';
import type { Ending, Spending } from '../kernel/outcome.ts';
import type { Allotment } from '../kernel/report.ts';
import type { Receipt } from '../session/receipt.ts';

/** One piece of work for a worker. The handle is light: the job is in the queue, its words in the session. */
export interface Job {
  readonly id: JobId;
  readonly worker: WorkerId;
  /** As it was given with the key it was filed under. */
  readonly digest?: string;
  state(): Promise<JobState>;
  /** For any number of waiters, now or long after the end, in whatever process. */
  wait(): Promise<JobResult>;
  /** Reaches the model call, the tools' processes and the children; the job then ends as cancelled. */
  cancel(reason?: string): Promise<CancelAnswer>;
  /** Runs once for its key when the job has ended, or at once. False where the key was used before. */
  onEnd(key: string, call: (result: JobResult) => void): Promise<boolean>;
  /** What to do with it now that it is stalled. */
  resolve(resolution: StallResolution): Promise<CancelAnswer>;
  /** More of its parent's budget, or of nobody's. The new total replaces the one it had. */
  extend(allotment: Allotment): Promise<Receipt>;
}

export interface JobResult {
  readonly job: JobId;
  readonly worker: WorkerId;
  readonly ending: Ending;
  /** What the worker said last. */
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
    ...(row.run !== undefined && { session: row.run.session }),
  };
}
