import type { ClaimRequest, EnrolAnswer, JobEnd, NewJob, WorkerRow } from '../../ports/job-queue.ts';
import type { JobId, WorkerId } from '../../kernel/ids.ts';

export const filing = { queued: 100, queuedPerPriority: 30, at: 1000, uptime: 1000, keepEnded: 3 };
export const sampleSpending = { tokens: 7, cost: 0.5 };

export const id = (name: string): JobId => `job_${name}` as JobId;

export function workerRow(name: string, more: Partial<WorkerRow> = {}): WorkerRow {
  return {
    id: `wrk_${name}` as WorkerId,
    name,
    kind: 'persistent',
    agent: 'testing',
    depth: 0,
    maySpawn: false,
    createdAt: 1,
    setup: {},
    ...more,
  };
}

export function enrolled(name: string, more: Partial<WorkerRow> = {}): EnrolAnswer {
  return { type: 'enrolled', worker: workerRow(name, more) };
}

export function newJob(name: string, worker: string, more: Partial<NewJob> = {}): NewJob {
  return {
    id: id(name),
    worker: `wrk_${worker}` as WorkerId,
    prompt: `do ${name}`,
    priority: 'normal',
    filedAt: 1000,
    after: [],
    whenDependencyFails: 'skip',
    ...more,
  };
}

export function claimable(more: Partial<ClaimRequest> = {}): ClaimRequest {
  return {
    at: 1000,
    // A clock that nobody sets.
    uptime: more.at ?? 1000,
    limits: { running: 50, perProvider: 50 },
    whose: 'all',
    maxLostAttempts: 3,
    keepEnded: 3,
    ...more,
  };
}

export function settled(more: Partial<JobEnd> = {}): JobEnd {
  return { ending: { type: 'completed' }, spent: sampleSpending, at: 2000, keepEnded: 3, ...more };
}
