/** Cancels jobs from a process that doesn't run them. */
import { hasEnded } from '../../journal/job-queue-state.ts';
import { type JobState } from '../../ports/job-queue.ts';
import type { JobRow } from '../../ports/job-queue.ts';
import type { Store } from '../../ports/store.ts';
import { Fault } from '../../kernel/fault.ts';
import { cancelAsleep } from '../sessions/cancel-asleep.ts';
import { livingOwner } from '../sessions/reach-session.ts';
import { usageError } from '../usage-error.ts';
import { createQuietRondo } from '../quiet-rondo.ts';

export type CancelledJob =
  | { readonly job: string; readonly type: 'cancelled' }
  /** The owner was notified and stops it. */
  | { readonly job: string; readonly type: 'asked' }
  /** The owner is gone and nothing of it runs. The next process to claim it settles it. */
  | { readonly job: string; readonly type: 'left' }
  /** It had already ended, by itself or together with another job in the list. */
  | { readonly job: string; readonly type: 'over'; readonly state: JobState };

export async function cancelStoredJobs(
  store: Store,
  rows: readonly JobRow[],
  reason: string,
): Promise<readonly CancelledJob[]> {
  await using rondo = await createQuietRondo(store);
  const cancelled: CancelledJob[] = [];
  for (const { id } of rows) {
    const before = await store.jobs.job(id);
    if (before !== undefined && hasEnded(before.state)) {
      cancelled.push({ job: id, type: 'over', state: before.state });
      continue;
    }
    const answer = await (await rondo.jobs.get(id))?.cancel(reason);
    switch (answer?.type) {
      case 'ended':
        cancelled.push({ job: id, type: 'cancelled' });
        break;
      case 'marked':
        cancelled.push(await reach(store, answer.job, reason));
        break;
      case 'illegal-move':
        cancelled.push({ job: id, type: 'over', state: answer.state });
        break;
      case 'not-found':
      case undefined:
        throw noJob(id);
    }
  }
  return cancelled;
}

async function reach(store: Store, { id, run, owner }: JobRow, reason: string): Promise<CancelledJob> {
  const isStarting = run === undefined && owner !== undefined && (await isRunning(store, owner));
  if (isStarting || (run !== undefined && (await livingOwner(store, run.session)) !== undefined)) {
    return { job: id, type: 'asked' };
  }
  if (run !== undefined) await cancelAsleep(store, run.session, reason);
  return { job: id, type: 'left' };
}

async function isRunning({ upkeep }: Store, process: string): Promise<boolean> {
  return (await upkeep.owners()).some(({ owner, isGone }) => owner.id === process && !isGone);
}

/** Accepts an id or a prefix. An ended job is only found by its full id. */
export async function findJob({ jobs: queue }: Store, given: string): Promise<JobRow> {
  const active = await queue.jobs({ which: 'active' });
  const [job, other] = active.filter(({ id }) => id.startsWith(given));
  if (other !== undefined) throw usageError(`several jobs start with ${given}; give more of the id`);
  const row = job ?? (await queue.job(given as JobRow['id'])) ?? (await onlyJobOf(given, queue, active));
  if (row === undefined) throw noJob(given);
  return row;
}

/** A job of a file without a worker gets one that is named as the job is there. */
async function onlyJobOf(
  name: string,
  queue: Store['jobs'],
  active: readonly JobRow[],
): Promise<JobRow | undefined> {
  const worker = (await queue.workers({ parent: null })).find((row) => row.name === name);
  const own = active.filter((row) => row.worker === worker?.id);
  if (own.length > 1) throw usageError(`worker ${name} has ${own.length} jobs; give the id of one`);
  return own[0];
}

export function noJob(given: string): Fault {
  return new Fault('not-found', `unknown job ${given} in this store; \`rondo jobs\` lists them`);
}
