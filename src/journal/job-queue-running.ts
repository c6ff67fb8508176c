/** Running jobs: claim, note, settle, cancel, resume. */
import type { JobId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { Ending } from '../kernel/outcome.ts';
import { onThisBoot } from './job-queue-deadline.ts';
import { cancelledFor, endJob } from './job-queue-ending.ts';
import { hasEnded, isUnderWay, moveJob } from './job-queue-state.ts';
import type { QueueTables } from './job-queue-tables.ts';
import type {
  CancelAnswer,
  ClaimRequest,
  ClaimResult,
  EndOptions,
  JobEnd,
  JobNote,
  JobRow,
  NoteAnswer,
  SettleAnswer,
  StallResolution,
  Ticket,
} from '../ports/job-queue.ts';

/** An owner that the store's leases found gone. */
export interface LostOwner {
  readonly id: string;
  /** It exists and was stopped, or slept, past its lease: that says nothing about its jobs. */
  readonly isStopped: boolean;
}

export function claimJob(tables: QueueTables, request: ClaimRequest, gone: readonly LostOwner[]): ClaimResult {
  const { limits, maxLostAttempts } = request;
  const filedBy = request.whose === 'own' ? tables.self : undefined;
  const ended = endOverdue(tables, request, filedBy);
  let candidate: JobRow | undefined;
  const stopped = new Set(gone.flatMap(({ id, isStopped }) => (isStopped ? [id] : [])));
  for (const row of tables.abandoned(gone.map(({ id }) => id))) {
    if (candidate !== undefined || (filedBy !== undefined && row.filedBy !== filedBy)) continue;
    const lostAttempts = row.lostAttempts + (row.owner === undefined || stopped.has(row.owner) ? 0 : 1);
    // Its turn has to end before it does. So it is claimed once more: a crash in between loses nothing.
    candidate = { ...row, lostAttempts, ...(lostAttempts >= maxLostAttempts && { givenUp: true }) };
  }
  candidate ??= tables.nextReady(limits, filedBy);
  const steady = candidate && onThisBoot(candidate, tables.boot, request);
  const job: JobRow | undefined = steady && {
    ...steady,
    state: 'running',
    attempt: steady.attempt + 1,
    owner: tables.self,
  };
  if (job !== undefined) tables.putJob(job);
  const nextAt = tables.nextDue(filedBy)?.deadline;
  return {
    ...optional({ job }),
    ended,
    ...optional({ nextAt }),
    runsElsewhere: tables.runsElsewhere(filedBy),
  };
}

/** Ends queued jobs past their deadline, earliest first. A deadline that a clock step moved is set right first. */
function endOverdue(tables: QueueTables, request: ClaimRequest, filedBy: string | undefined): readonly JobRow[] {
  const ended: JobRow[] = [];
  for (let row = tables.nextDue(filedBy); row !== undefined; row = tables.nextDue(filedBy)) {
    const steady = onThisBoot(row, tables.boot, request);
    if (steady !== row) {
      tables.putJob(steady);
      continue;
    }
    if ((row.deadline ?? Infinity) > request.at) break;
    const message = 'Its deadline passed before it could start.';
    ended.push(...endJob(tables, row, { type: 'timed-out', message }, request));
  }
  return ended;
}

/** A job was taken away or ended, so its process and its waiters must look. */
export function isClaimNews({ job, ended }: ClaimResult): boolean {
  return ended.length > 0 || (job !== undefined && job.attempt > 1);
}

export function noteJob(tables: QueueTables, ticket: Ticket, note: JobNote): NoteAnswer {
  const row = holding(tables, ticket);
  if (row === undefined) return { type: 'lost' };
  if (note.type === 'started') {
    const { resume: _, ...rest } = row;
    // It reached its prompt, so the process didn't die at once.
    const job: JobRow = {
      ...rest,
      run: note.run,
      lostAttempts: note.run.round > (row.run?.round ?? 0) ? 0 : row.lostAttempts,
    };
    tables.putJob(job);
    return { type: 'noted', job };
  }
  const state = row.state === note.to ? note.to : moveJob(row.state, note.to);
  if (typeof state !== 'string') return state;
  const job: JobRow = { ...row, state };
  tables.putJob(job);
  return { type: 'noted', job };
}

export function settleJob(tables: QueueTables, ticket: Ticket, end: JobEnd): SettleAnswer {
  const row = holding(tables, ticket);
  if (row === undefined) return { type: 'lost' };
  // A stalled job that ends by itself was running after all.
  const awake: JobRow = row.state === 'stalled' ? { ...row, state: 'running' } : row;
  const dead = row.givenUp === true && row.cancel === undefined;
  return {
    type: 'settled',
    ended: endJob(tables, awake, dead ? givenUpAfter(row) : end.ending, { ...end, dead }),
  };
}

function givenUpAfter({ lostAttempts }: JobRow): Ending {
  const message = `The process stopped ${lostAttempts} times in a row while this job ran, so it was given up.`;
  return { type: 'failed', code: 'crash-loop', message };
}

export function cancelJob(
  tables: QueueTables,
  id: JobId,
  { reason, ...options }: EndOptions & { readonly reason?: string },
): CancelAnswer {
  const row = tables.job(id);
  if (row === undefined) return { type: 'not-found' };
  if (hasEnded(row.state)) return { type: 'ended', ended: [row] };
  const cancel = optional({ reason });
  if (row.state === 'queued') {
    return { type: 'ended', ended: endJob(tables, { ...row, cancel }, cancelledFor(reason), options) };
  }
  const job: JobRow = { ...row, cancel: row.cancel ?? cancel };
  tables.putJob(job);
  return { type: 'marked', job };
}

export function resolveStalled(tables: QueueTables, id: JobId, resolution: StallResolution): CancelAnswer {
  const row = tables.job(id);
  if (row === undefined) return { type: 'not-found' };
  if (row.state !== 'stalled') {
    const reason = `only a stalled job can be resolved, and it is ${row.state}`;
    return { type: 'illegal-move', state: row.state, to: 'running', reason };
  }
  switch (resolution) {
    case 'leave':
      return { type: 'marked', job: row };
    case 'archive': {
      // Its turn ends before the job does, as with every cancel: a crash in between loses nothing.
      const { resume: _, ...rest } = row;
      const job: JobRow = { ...rest, cancel: row.cancel ?? { reason: 'archived' }, archived: true };
      tables.putJob(job);
      return { type: 'marked', job };
    }
    case 'continue':
    case 'condense': {
      const job: JobRow = { ...row, resume: resolution };
      tables.putJob(job);
      return { type: 'marked', job };
    }
  }
}

/** Makes a held job claimable. */
export function letGo(tables: QueueTables, id: JobId): void {
  const row = tables.job(id);
  if (row?.held !== true) return;
  const { held: _, ...rest } = row;
  tables.putJob(rest);
}

/** Without an owner they can be claimed at once, and nothing counts as lost. */
export function releaseJobs(tables: QueueTables): void {
  for (const row of tables.owned()) {
    const { owner: _owner, ...rest } = row;
    tables.putJob(rest);
  }
}

export function markJob(tables: QueueTables, id: JobId, key: string): boolean {
  const row = tables.job(id);
  if (row === undefined || row.marks.includes(key)) return false;
  tables.putJob({ ...row, marks: [...row.marks, key] });
  return true;
}

function holding(tables: QueueTables, { job, attempt }: Ticket): JobRow | undefined {
  const row = tables.job(job);
  if (row === undefined || !isUnderWay(row.state)) return undefined;
  return row.owner === tables.self && row.attempt === attempt ? row : undefined;
}
