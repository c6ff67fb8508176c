/**
 * Waiters for the end of jobs in this process. A waiter learns of a local end at once, and of one in another
 * process when the queue reports a change. A continuation runs once per key, whether it was added before, during or
 * after the end.
 */
import { hasEnded } from '../journal/job-queue-state.ts';
import type { JobQueue, JobRow } from '../ports/job-queue.ts';
import { Fault } from '../kernel/fault.ts';
import type { JobId } from '../kernel/ids.ts';

export interface JobEndings {
  /** Resolves with the ended row. Rejects if the job doesn't exist, and with a `Fault` if this process closes first. */
  wait(job: JobId): Promise<JobRow>;
  /** False if the key was already used for this job. */
  continueWith(job: JobId, key: string, call: (row: JobRow) => void): Promise<boolean>;
  settle(rows: readonly JobRow[]): void;
  /** Checks for endings in other processes. */
  look(): Promise<void>;
  readonly waiting: number;
  /** Rejects all waiters. No later ending is reported. */
  close(): void;
}

interface AwaitedEnd {
  readonly promise: Promise<JobRow>;
  forget(): void;
}

export function createJobEndings(
  queue: Pick<JobQueue, 'job' | 'mark'>,
  hooks: { readonly onWaiting: () => void },
): JobEndings {
  const waiters = new Map<JobId, Set<PromiseWithResolvers<JobRow>>>();
  let isClosed = false;

  function settle(rows: readonly JobRow[]): void {
    for (const row of rows) {
      const waiting = waiters.get(row.id);
      waiters.delete(row.id);
      for (const { resolve } of waiting ?? []) resolve(row);
    }
  }

  /** Undefined if the job doesn't exist. */
  async function awaited(job: JobId): Promise<AwaitedEnd | undefined> {
    if (isClosed) throw closedBefore(job);
    hooks.onWaiting();
    const ended = Promise.withResolvers<JobRow>();
    // Rejected by `close()` while the row is being read, nobody would be listening yet.
    ended.promise.catch(() => undefined);
    const waiting = waiters.get(job) ?? new Set();
    const forget = () => {
      waiting.delete(ended);
      if (waiting.size === 0 && waiters.get(job) === waiting) waiters.delete(job);
    };
    // Register before reading the row, so that an ending in between isn't missed.
    waiters.set(job, waiting.add(ended));
    try {
      const row = await queue.job(job);
      if (row === undefined) {
        forget();
        return undefined;
      }
      if (hasEnded(row.state)) settle([row]);
    } catch (error) {
      forget();
      throw error;
    }
    return { promise: ended.promise, forget };
  }

  return {
    async wait(job) {
      const ended = await awaited(job);
      if (ended === undefined) throw new Error(`Unknown job ${job}.`);
      return ended.promise;
    },
    settle,
    async continueWith(job, key, call) {
      const ended = await awaited(job);
      if (ended === undefined) return false;
      // After the read, which may fail: a used key is never called again.
      const isNew = await queue.mark(job, key).catch((error: unknown) => {
        ended.forget();
        throw error;
      });
      if (!isNew) ended.forget();
      // If the process closes first, the continuation isn't needed.
      else ended.promise.then(call, () => undefined);
      return isNew;
    },
    async look() {
      const rows = await Promise.all([...waiters.keys()].map((job) => queue.job(job)));
      settle(rows.filter((row) => row !== undefined && hasEnded(row.state)) as readonly JobRow[]);
    },
    get waiting() {
      return waiters.size;
    },
    close() {
      isClosed = true;
      for (const [job, waiting] of waiters) {
        for (const { reject } of waiting) reject(closedBefore(job));
      }
      waiters.clear();
    },
  };
}

const closedBefore = (job: JobId) =>
  new Fault(
    'closed',
    `Rondo was closed in this process before job ${job} ended; \`rondo jobs\` shows how it stands.`,
  );
