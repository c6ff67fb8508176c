import { setTimeout as sleep } from 'node:timers/promises';

import { hasEnded } from '../../journal/job-queue-state.ts';
import type { JobRow } from '../../ports/job-queue.ts';
import type { Workspace } from '../workspace.ts';
import type { TrackedJob } from './tracked-job.ts';

const lookEveryMs = 200;

/** Resolves once every job has ended or is blocked: by a question, or behind a job that is. */
export async function waitUntilBlocked(
  workspace: Workspace,
  tracked: readonly TrackedJob[],
  signal: AbortSignal,
): Promise<void> {
  // Between an answer and the next step, a job still looks as if it waits. So require two consecutive observations.
  for (let seen = 0; seen < 2 && !signal.aborted;) {
    await sleep(lookEveryMs);
    seen = (await areBlocked(workspace, tracked)) ? seen + 1 : 0;
  }
}

async function areBlocked(workspace: Workspace, tracked: readonly TrackedJob[]): Promise<boolean> {
  const { jobs: queue } = workspace.store;
  const rows = await Promise.all(tracked.map(({ job }) => queue.job(job.id)));
  const active = rows.filter((row) => row !== undefined).filter(({ state }) => !hasEnded(state));
  if (active.length === 0) return false;
  const underWay = active.filter(({ state }) => state !== 'queued');
  const blocked = await Promise.all(underWay.map((row) => isBlocked(workspace, row)));
  if (underWay.length === 0 || !blocked.every(Boolean)) return false;
  const busy = new Set(underWay.map(({ worker }) => worker));
  return active.every(({ state, blockers, worker }) => state !== 'queued' || blockers > 0 || busy.has(worker));
}

/** A job that waits for its own workers is blocked if they are. */
async function isBlocked(workspace: Workspace, row: JobRow): Promise<boolean> {
  const { store } = workspace;
  // A job without an owner is about to be claimed.
  if (row.owner === undefined || row.cancel !== undefined || row.run === undefined) return false;
  if (row.state === 'stalled') return true;
  if (row.state !== 'waiting') return false;
  const { session } = row.run;
  const children = await store.jobs.jobs({ parent: session, which: 'active' });
  if (children.length === 0) return (await store.journal.openQuestions({ session })).length > 0;
  const started = children.filter(({ state }) => state !== 'queued');
  const blocked = await Promise.all(started.map((child) => isBlocked(workspace, child)));
  return started.length > 0 && blocked.every(Boolean);
}
