import { setTimeout as sleep } from 'node:timers/promises';

import type { WorkerRow } from '../../ports/job-queue.ts';
import type { Store } from '../../ports/store.ts';
import { Fault } from '../../kernel/fault.ts';
import { cancelStoredJobs } from './cancel-stored-jobs.ts';

/** Long enough for an owner that checks for cancellation every few seconds. */
const patienceMs = 15_000;

/** Cancels its jobs, waits until their owners have stopped them, and removes it from the list. */
export async function deleteWorker(
  store: Store,
  { id, name }: WorkerRow,
): Promise<{ readonly cancelled: readonly string[] }> {
  const { jobs: queue } = store;
  const active = await queue.jobs({ worker: id, which: 'active' });
  if (active.length > 0) {
    const cancelled = await cancelStoredJobs(store, active, `worker ${name} was deleted`);
    const left = cancelled.find(({ type }) => type === 'left');
    if (left !== undefined) {
      throw new Fault(
        'busy',
        `Can't delete worker ${name}: job ${left.job} is cancelled, but its process died. Run \`rondo jobs run\` to settle it, then delete the worker again.`,
      );
    }
  }
  for (const until = Date.now() + patienceMs; ; await sleep(100)) {
    const answer = await queue.dismiss(id);
    if (answer.type !== 'busy') return { cancelled: active.map((job) => job.id) };
    if (Date.now() > until) {
      throw new Fault(
        'busy',
        `Can't delete worker ${name}: its jobs haven't stopped yet. \`rondo jobs\` lists them; \`rondo jobs run\` settles those of a dead process.`,
      );
    }
  }
}
