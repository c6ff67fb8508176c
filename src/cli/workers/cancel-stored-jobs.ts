/** Cancels jobs from a process that does not run them. */
import type { JobRow } from '../../journal/job-queue.ts';
import type { Store } from '../../journal/store.ts';
import { Fault } from '../../kernel/fault.ts';
import { cancelAsleep } from '../sessions/cancel-asleep.ts';
import { livingOwner } from '../sessions/reach-session.ts';
import { usageError } from '../usage-error.ts';
import { createQuietRondo } from './quiet-rondo.ts';

export type CancelledJob =
  | { readonly job: string; readonly type: 'ended' }
  /** Its owner was told, and stops it. */
  | { readonly job: string; readonly type: 'asked'; readonly pid: number }
  /** Its owner is gone. Nothing of it runs; it is settled when its kind of work is taken up again. */
  | { readonly job: string; readonly type: 'left' }
  | { readonly job: string; readonly type: 'refused'; readonly message: string };

export async function cancelStoredJobs(
  store: Store,
  rows: readonly JobRow[],
  reason: string,
): Promise<readonly CancelledJob[]> {
  await using rondo = await createQuietRondo(store);
  const cancelled: CancelledJob[] = [];
  for (const { id } of rows) {
    const answer = await (await rondo.jobs.get(id))?.cancel(reason);
    if (answer === undefined || answer.type === 'not-found') throw noJob(id);
    if (answer.type === 'ended') cancelled.push({ job: id, type: 'ended' });
    // Cancelling one may have ended others of the list.
    else if (answer.type === 'illegal-move') {
      if (answer.state === 'cancelled') cancelled.push({ job: id, type: 'ended' });
      else cancelled.push({ job: id, type: 'refused', message: answer.reason });
    } else cancelled.push(await reach(store, answer.job, reason));
  }
  return cancelled;
}

async function reach(store: Store, { id, run }: JobRow, reason: string): Promise<CancelledJob> {
  const owner = run === undefined ? undefined : await livingOwner(store, run.session);
  if (owner !== undefined) return { job: id, type: 'asked', pid: owner.pid };
  if (run !== undefined) await cancelAsleep(store, run.session, reason);
  return { job: id, type: 'left' };
}

/** By id or the beginning of one; of those that have ended only by the whole id. */
export async function findJob({ jobs: queue }: Store, given: string): Promise<JobRow> {
  const active = await queue.jobs({ which: 'active' });
  const [found, other] = active.filter(({ id }) => id.startsWith(given));
  if (other !== undefined) throw usageError(`more than one job starts with ${given}; write more of its id`);
  const row = found ?? (await queue.job(given as JobRow['id']));
  if (row === undefined) throw noJob(given);
  return row;
}

export function noJob(given: string): Fault {
  return new Fault('not-found', `there is no job ${given} in this store; \`rondo jobs\` shows those there are`);
}
