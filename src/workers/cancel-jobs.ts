/** Cancel reaches everything below: a job's session, its process trees, and the sessions under it. */
import type { CancelAnswer, JobRow } from '../ports/job-queue.ts';
import type { JobId, SessionId } from '../kernel/ids.ts';
import type { WorkerParts } from './worker-parts.ts';

export interface Canceller {
  job(id: JobId, reason?: string): Promise<CancelAnswer>;
  /** Every job of these that has not ended, and all below them. */
  jobs(rows: readonly JobRow[], reason?: string): Promise<readonly CancelAnswer[]>;
  /** All that works for a session, directly or through others. */
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
    if (answer.type === 'marked') {
      hooks.stop(id, reason ?? 'cancelled');
      const { run } = answer.job;
      if (run !== undefined) await below(run.session, reason);
    }
    return answer;
  }

  const jobs = (rows: readonly JobRow[], reason?: string) => Promise.all(rows.map(({ id }) => job(id, reason)));

  async function below(session: SessionId, reason?: string): Promise<readonly CancelAnswer[]> {
    return jobs(await queue.jobs({ parent: session, which: 'active' }), reason);
  }

  return { job, jobs, below };
}
