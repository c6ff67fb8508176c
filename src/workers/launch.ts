/**
 * Files jobs. A child's job is filed on hold and announced to its parent, which reserves its share of the budget or
 * refuses. Only then is the job released. After a crash at any point, the same steps with the same keys lead to the
 * same result.
 */
import type { FailurePolicy, FileRefusal, JobRow, NewJob, Priority, WorkerRow } from '../ports/job-queue.ts';
import { Fault } from '../kernel/fault.ts';
import type { JobId, SessionId } from '../kernel/ids.ts';
import type { Allotment } from '../kernel/report.ts';
import type { Receipt } from '../session/receipt.ts';
import { oneLine } from '../views/one-line.ts';
import { shareOf, wallOf } from './allotted.ts';
import { tellParent } from './parent-reports.ts';
import type { WorkerParts } from './worker-parts.ts';
import { timeAt } from '../kernel/time.ts';
import { optional } from '../kernel/optional.ts';

export interface LaunchRequest {
  readonly id: JobId;
  readonly worker: WorkerRow;
  readonly prompt: string;
  readonly priority?: Priority;
  readonly after?: readonly JobId[];
  /** What to do if a dependency didn't complete. Default: `skip`. */
  readonly whenDependencyFails?: FailurePolicy;
  /** Milliseconds from now. Default: 30 minutes for a child, none for others. */
  readonly timeoutMs?: number;
  readonly allotment?: Allotment;
  readonly key?: string;
  readonly digest?: string;
}

type LaunchAnswer =
  | { readonly type: 'launched'; readonly job: JobRow }
  | { readonly type: 'refused'; readonly code: FileRefusal | 'limit'; readonly message: string };

export async function launchJobs(
  parts: WorkerParts,
  requests: readonly LaunchRequest[],
  options: { readonly whenBusy?: 'queue' | 'refuse' } = {},
): Promise<readonly LaunchAnswer[]> {
  const { queue, clock, settings } = parts;
  const terms = await termsOf(parts, requests);
  const jobs = requests.map((request) => newJob(parts, request, terms.get(request.worker.parent as SessionId)));
  const { queued, queuedPerPriority, keepEnded } = settings;
  const filed = await queue.file(jobs, {
    queued,
    queuedPerPriority,
    keepEnded,
    at: clock.now(),
    uptime: clock.uptime(),
    whenBusy: options.whenBusy ?? 'queue',
  });
  if (filed.type === 'refused') return requests.map(() => filed);
  return Promise.all(filed.jobs.map((row, index) => announceJob(parts, row, requests[index]?.worker)));
}

/** Announces a held job to its parent and releases it, or ends it if the parent has no room or is gone. */
export async function announceJob(
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
      ...optional({ allotment: row.allotment }),
    },
    `${row.id}/spawn`,
  ).catch(refusedIfGone);
  if (receipt.type === 'accepted') {
    await queue.letGo(row.id);
    return { type: 'launched', job: row };
  }
  const { message } = receipt.refusal;
  await queue.cancel(row.id, { at: clock.now(), keepEnded: settings.keepEnded, reason: message });
  return { type: 'refused', code: 'limit', message };
}

/** A parent that was removed needs the job no more. */
function refusedIfGone(error: unknown): Receipt {
  if (!(error instanceof Fault) || error.code !== 'not-found') throw error;
  return { type: 'refused', refusal: { code: 'not-found', message: 'the session it works for was removed' } };
}

function newJob({ clock }: WorkerParts, request: LaunchRequest, terms: ParentTerms | undefined): NewJob {
  const {
    id,
    worker,
    prompt,
    priority = 'normal',
    after = [],
    whenDependencyFails = 'skip',
    key,
    digest,
  } = request;
  const { parent, model, kind } = worker;
  const isChild = parent !== undefined;
  const timeoutMs = request.timeoutMs ?? (isChild && kind !== 'system' ? childTimeoutMs : undefined);
  const allotment = allotmentOf(request, terms);
  const ends = [timeoutMs === undefined ? [] : clock.now() + timeoutMs, terms?.wall ?? []].flat();
  return {
    id,
    worker: worker.id,
    prompt,
    priority,
    filedAt: clock.now(),
    after,
    whenDependencyFails,
    ...(ends.length > 0 && { deadline: timeAt(Math.min(...ends)) }),
    ...(model !== undefined && { provider: model.split('/')[0] ?? model }),
    ...(isChild && { parent, held: true }),
    ...optional({ allotment, key, digest }),
  };
}

const childTimeoutMs = 30 * 60_000;

interface ParentTerms {
  readonly share: Allotment;
  readonly wall: number | undefined;
}

/** A child of a parent with a budget always has a budget, and never outlasts its parent. */
async function termsOf(
  parts: WorkerParts,
  requests: readonly LaunchRequest[],
): Promise<ReadonlyMap<SessionId, ParentTerms>> {
  const counts = new Map<SessionId, number>();
  for (const { worker } of requests) {
    if (worker.parent !== undefined) counts.set(worker.parent, (counts.get(worker.parent) ?? 0) + 1);
  }
  const terms = new Map<SessionId, ParentTerms>();
  for (const [parent, count] of counts) {
    const state = await parts.sessions.state(parent);
    terms.set(parent, { share: shareOf(state, count), wall: wallOf(state, parts) });
  }
  return terms;
}

function allotmentOf({ worker, allotment }: LaunchRequest, terms: ParentTerms | undefined): Allotment | undefined {
  const { children = 0, ...share } = terms?.share ?? {};
  const whole: Allotment = { ...share, ...(worker.maySpawn && terms !== undefined && { children }), ...allotment };
  return Object.keys(whole).length === 0 ? undefined : whole;
}
