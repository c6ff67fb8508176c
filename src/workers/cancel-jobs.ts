/** Cancellation covers everything below a job: its session, its process trees, and the sessions under it. */
import type { CancelAnswer, JobRow } from '../ports/job-queue.ts';
import type { JobId, SessionId } from '../kernel/ids.ts';
import type { WorkerParts } from './worker-parts.ts';

export interface Canceller {
  job(id: JobId, reason?: string): Promise<CancelAnswer>;
  /** Cancels those of the jobs that haven't ended, and everything below them. */
  jobs(rows: readonly JobRow[], reason?: string): Promise<readonly CancelAnswer[]>;
  /** Stops a job that the queue marked as cancelled, and cancels everything below it. */
  marked(row: JobRow, reason?: string): Promise<void>;
  /** Cancels everything that works for a session, directly or indirectly. */
  below(session: SessionId, reason?: string): Promise<readonly CancelAnswer[]>;
}

export function createCanceller(
  { queue, clock, settings }: WorkerParts,
  hooks: {
    readonly stop: (job: JobId, reason: string) => boolean;
    readonly onEnded: (rows: readonly JobRow[]) => Promise<void>;
  },
): Canceller {
  async function job(id: JobId, reason?: string): Promise<CancelAnswer> {
    const why = reason === undefined ? {} : { reason };
    const answer = await queue.cancel(id, { at: clock.now(), keepEnded: settings.keepEnded, ...why });
    if (answer.type === 'ended') await hooks.onEnded(answer.ended);
    if (answer.type === 'marked') await marked(answer.job, reason);
    return answer;
  }

  async function marked({ id, run }: JobRow, reason?: string): Promise<void> {
    hooks.stop(id, reason ?? 'cancelled');
    if (run !== undefined) await below(run.session, reason);
  }

  const jobs = (rows: readonly JobRow[], reason?: string) => Promise.all(rows.map(({ id }) => job(id, reason)));

  async function below(session: SessionId, reason?: string): Promise<readonly CancelAnswer[]> {
    return jobs(await queue.jobs({ parent: session, which: 'active' }), reason);
  }

  return { job, jobs, marked, below };
}
