/**
 * Filing jobs. A child's job is filed and held, announced to its parent, which sets its share of the
 * budget aside or refuses, and only then let go: after a crash at any point the same steps, under the
 * same keys, come to the same end.
 */
import type { FailurePolicy, FileRefusal, JobRow, NewJob, Priority, WorkerRow } from '../journal/job-queue.ts';
import { budgetLeft } from '../kernel/budget.ts';
import type { JobId, SessionId } from '../kernel/ids.ts';
import type { Allotment } from '../kernel/report.ts';
import { oneLine } from '../views/one-line.ts';
import { tellParent } from './parent-reports.ts';
import type { WorkerParts } from './worker-parts.ts';

export interface LaunchRequest {
  readonly id: JobId;
  readonly worker: WorkerRow;
  readonly prompt: string;
  readonly priority?: Priority;
  readonly after?: readonly JobId[];
  /** When a job it waits for did not complete. Default: `skip`. */
  readonly whenDependencyFails?: FailurePolicy;
  /** Milliseconds from now. Default: 30 minutes for a child, none for others. */
  readonly timeoutMs?: number;
  readonly allotment?: Allotment;
  readonly key?: string;
}

export type LaunchAnswer =
  | { readonly type: 'launched'; readonly job: JobRow }
  | { readonly type: 'refused'; readonly code: FileRefusal | 'limit'; readonly message: string };

export async function launchJobs(
  parts: WorkerParts,
  requests: readonly LaunchRequest[],
  options: { readonly whenBusy?: 'queue' | 'refuse' } = {},
): Promise<readonly LaunchAnswer[]> {
  const { queue, clock, settings } = parts;
  const shares = await sharesOf(parts, requests);
  const jobs = requests.map((request) => newJob(parts, request, shares.get(request.id)));
  const { queued, queuedPerPriority, keepEnded } = settings;
  const isOnce = requests.some(({ worker }) => worker.kind === 'ephemeral');
  const filed = await queue.file(jobs, {
    queued,
    queuedPerPriority,
    keepEnded,
    at: clock.now(),
    whenBusy: isOnce ? 'refuse' : (options.whenBusy ?? 'queue'),
  });
  if (filed.type === 'refused') return requests.map(() => filed);
  return Promise.all(filed.jobs.map((row, index) => announce(parts, row, requests[index]?.worker)));
}

/** Tells the parent of a held job and lets it go, or ends it where the parent has no room for it. */
export async function announce(
  parts: WorkerParts,
  row: JobRow,
  worker: WorkerRow | undefined,
): Promise<LaunchAnswer> {
  const { queue, clock, settings } = parts;
  if (row.held !== true || row.parent === undefined || worker === undefined || row.state !== 'queued') {
    return { type: 'launched', job: row };
  }
  const receipt = await tellParent(
    parts,
    row.parent,
    worker,
    {
      worker: worker.id,
      state: 'spawned',
      job: row.id,
      text: oneLine(row.prompt),
      ...(row.allotment !== undefined && { allotment: row.allotment }),
    },
    `${row.id}/spawn`,
  );
  if (receipt.type === 'accepted') {
    await queue.letGo(row.id);
    return { type: 'launched', job: row };
  }
  const { message } = receipt.refusal;
  await queue.cancel(row.id, { at: clock.now(), keepEnded: settings.keepEnded, reason: message });
  return { type: 'refused', code: 'limit', message };
}

function newJob({ clock }: WorkerParts, request: LaunchRequest, share: Allotment | undefined): NewJob {
  const { id, worker, prompt, priority = 'normal', after = [], whenDependencyFails = 'skip', key } = request;
  const { parent, model, kind } = worker;
  const isChild = parent !== undefined;
  const timeoutMs = request.timeoutMs ?? (isChild && kind !== 'system' ? childTimeoutMs : undefined);
  const allotment = request.allotment ?? share;
  return {
    id,
    worker: worker.id,
    prompt,
    priority,
    filedAt: clock.now(),
    after,
    whenDependencyFails,
    ...(timeoutMs !== undefined && { deadline: clock.now() + timeoutMs }),
    ...(model !== undefined && { provider: model.split('/')[0] ?? model }),
    ...(isChild && { parent, held: true }),
    ...(allotment !== undefined && { allotment }),
    ...(key !== undefined && { key }),
  };
}

const childTimeoutMs = 30 * 60_000;

/** A parent with a budget never has a child without one: what is left is shared between it and those to come. */
async function sharesOf(
  { sessions }: WorkerParts,
  requests: readonly LaunchRequest[],
): Promise<ReadonlyMap<JobId, Allotment>> {
  const shares = new Map<JobId, Allotment>();
  const parents = new Map<SessionId, LaunchRequest[]>();
  for (const request of requests) {
    const { parent } = request.worker;
    if (parent !== undefined && request.allotment === undefined) {
      parents.set(parent, [...(parents.get(parent) ?? []), request]);
    }
  }
  for (const [parent, children] of parents) {
    const { tokens, cost } = budgetLeft(await sessions.state(parent));
    if (tokens === undefined && cost === undefined) continue;
    const among = children.length + 1;
    const share: Allotment = {
      ...(tokens !== undefined && { tokens: Math.max(Math.floor(tokens / among), 0) }),
      ...(cost !== undefined && { cost: Math.max(cost / among, 0) }),
    };
    for (const { id } of children) shares.set(id, share);
  }
  return shares;
}
