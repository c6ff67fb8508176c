/**
 * Who waits for jobs to end, in this process. A waiter is told of an ending that comes here at once, and
 * of one in another process when the queue says that something changed. A continuation runs once for its
 * key, whether it was added before, during or after the end.
 */
import { hasEnded } from '../journal/job-queue-state.ts';
import type { JobQueue, JobRow } from '../ports/job-queue.ts';
import { Fault } from '../kernel/fault.ts';
import type { JobId } from '../kernel/ids.ts';

export interface JobEndings {
  /** The ended row; rejects where there is no such job, and with a `Fault` when this process closes before it ends. */
  wait(job: JobId): Promise<JobRow>;
  /** False where the key was used for this job before. */
  continueWith(job: JobId, key: string, call: (row: JobRow) => void): Promise<boolean>;
  told(rows: readonly JobRow[]): void;
  /** Looks for endings elsewhere. */
  look(): Promise<void>;
  readonly waiting: number;
  /** Nobody here learns of endings any more. */
  close(): void;
}

export function createJobEndings(
  queue: Pick<JobQueue, 'job' | 'mark'>,
  hooks: { readonly onWaiting: () => void },
): JobEndings {
  const waiters = new Map<JobId, Set<PromiseWithResolvers<JobRow>>>();

  function told(rows: readonly JobRow[]): void {
    for (const row of rows) {
      const waiting = waiters.get(row.id);
      waiters.delete(row.id);
      for (const { resolve } of waiting ?? []) resolve(row);
    }
  }

  async function wait(job: JobId): Promise<JobRow> {
    hooks.onWaiting();
    const ended = Promise.withResolvers<JobRow>();
    // Waiting before looking: an ending in between is told.
    waiters.set(job, (waiters.get(job) ?? new Set()).add(ended));
    const row = await queue.job(job);
    if (row === undefined) {
      waiters.delete(job);
      throw new Error(`Unknown job ${job}.`);
    }
    if (hasEnded(row.state)) told([row]);
    return ended.promise;
  }

  return {
    wait,
    told,
    async continueWith(job, key, call) {
      if (!(await queue.mark(job, key))) return false;
      // Who closes before the end has no use for it any more.
      wait(job).then(call, () => undefined);
      return true;
    },
    async look() {
      const rows = await Promise.all([...waiters.keys()].map((job) => queue.job(job)));
      told(rows.filter((row) => row !== undefined && hasEnded(row.state)) as readonly JobRow[]);
    },
    get waiting() {
      return waiters.size;
    },
    close() {
      for (const [job, waiting] of waiters) {
        const message = `Rondo was closed in this process before job ${job} ended; \`rondo jobs\` shows how it stands.`;
        for (const { reject } of waiting) reject(new Fault('closed', message));
      }
      waiters.clear();
    },
  };
}
