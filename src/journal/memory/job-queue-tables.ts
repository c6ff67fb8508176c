import type { JobId, WorkerId } from '../../kernel/ids.ts';
import { hasEnded, isUnderWay } from '../job-queue-state.ts';
import { isReady, providerLimit, type QueueTables } from '../job-queue-tables.ts';
import { type JobQuery, type JobRow, type WorkerQuery, type WorkerRow } from '../../ports/job-queue.ts';
import type { Owner } from '../../ports/lease.ts';
import { priorities } from '../job-priorities.ts';

/** The rows, with indexes for frequent queries. `putJob`, the only place where a job changes, maintains them. */
export interface MemoryRows {
  readonly workers: Map<WorkerId, WorkerRow>;
  readonly jobs: Map<JobId, JobRow>;
  readonly keys: Map<string, JobId>;
  /** Not ended, in filing order. */
  readonly active: Map<JobId, JobRow>;
  readonly underWay: Map<JobId, JobRow>;
  /** Queued, with a deadline. */
  readonly timed: Map<JobId, JobRow>;
  /** In claiming order. */
  readonly ready: JobRow[];
  readonly dependents: Map<JobId, Set<JobId>>;
  readonly counts: Map<string, number>;
  readonly listed: Map<WorkerId, JobRow[]>;
  places: number;
}

export function createMemoryRows(): MemoryRows {
  return {
    workers: new Map(),
    jobs: new Map(),
    keys: new Map(),
    active: new Map(),
    underWay: new Map(),
    timed: new Map(),
    ready: [],
    dependents: new Map(),
    counts: new Map(),
    listed: new Map(),
    places: 0,
  };
}

export function memoryTables(rows: MemoryRows, { id: self, bootId: boot }: Owner): QueueTables {
  const count = (key: string) => rows.counts.get(key) ?? 0;
  const underWay = () => [...rows.underWay.values()];
  return {
    self,
    boot,
    worker: (id) => rows.workers.get(id),
    workers: (query) => [...rows.workers.values()].filter((row) => isWanted(row, query)),
    putWorker: (row) => void rows.workers.set(row.id, row),
    dropWorker: (id) => void rows.workers.delete(id),
    job: (id) => rows.jobs.get(id),
    jobOfKey: (key) => rows.jobs.get(rows.keys.get(key) ?? ('' as JobId)),
    jobs: (query) => jobsOf(rows, query),
    putJob: (row) => putJob(rows, row),
    nextPlace: () => (rows.places += 1),
    dependents: (id) =>
      [...(rows.dependents.get(id) ?? [])].flatMap((other) => {
        const row = rows.active.get(other);
        return row?.state === 'queued' ? [row] : [];
      }),
    queuedCount: (priority) => count(priority === undefined ? 'queued' : `queued ${priority}`),
    nextReady(limits, filedBy) {
      if (count('running') >= limits.running) return undefined;
      return rows.ready.find((row) => {
        if (filedBy !== undefined && row.filedBy !== filedBy) return false;
        if (row.state === 'queued' && count(`under way ${row.worker}`) > 0) return false;
        const { provider } = row;
        return provider === undefined || count(`running at ${provider}`) < providerLimit(limits, provider);
      });
    },
    abandoned: (gone) => underWay().filter(({ owner }) => owner === undefined || gone.includes(owner)),
    runsElsewhere: (filedBy) =>
      underWay().some((row) => (row.owner ?? self) !== self && (filedBy === undefined || row.filedBy === filedBy)),
    nextDue: (filedBy) =>
      [...rows.timed.values()]
        .filter((row) => filedBy === undefined || row.filedBy === filedBy)
        .reduce<JobRow | undefined>((first, row) => (isDueBefore(row, first) ? row : first), undefined),
    owned: () => underWay().filter((row) => row.owner === self),
    listedEnded: (worker) => rows.listed.get(worker) ?? [],
    hasActive: (worker) => count(`active ${worker}`) > 0,
  };
}

function putJob(rows: MemoryRows, row: JobRow): void {
  const before = rows.jobs.get(row.id);
  if (before !== undefined) {
    for (const key of countedAs(before)) rows.counts.set(key, (rows.counts.get(key) ?? 0) - 1);
    if (isReady(before)) rows.ready.splice(placeFor(rows.ready, before), 1);
  } else {
    for (const other of row.after) {
      if (hasEnded(rows.jobs.get(other)?.state ?? 'queued')) continue;
      rows.dependents.set(other, (rows.dependents.get(other) ?? new Set()).add(row.id));
    }
    if (row.key !== undefined) rows.keys.set(row.key, row.id);
  }
  rows.jobs.set(row.id, row);
  keepIn(rows.underWay, row, isUnderWay(row.state));
  keepIn(rows.timed, row, row.state === 'queued' && row.deadline !== undefined);
  for (const key of countedAs(row)) rows.counts.set(key, (rows.counts.get(key) ?? 0) + 1);
  if (isReady(row)) rows.ready.splice(placeFor(rows.ready, row), 0, row);
  if (!hasEnded(row.state)) {
    rows.active.set(row.id, row);
    return;
  }
  rows.active.delete(row.id);
  rows.dependents.delete(row.id);
  const others = (rows.listed.get(row.worker) ?? []).filter(({ id }) => id !== row.id);
  const listed = row.archived === true ? others : [row, ...others];
  rows.listed.set(
    row.worker,
    listed.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0) || b.place - a.place),
  );
}

function keepIn(map: Map<JobId, JobRow>, row: JobRow, isIn: boolean): void {
  if (isIn) map.set(row.id, row);
  else map.delete(row.id);
}

function countedAs({ state, worker, priority, provider }: JobRow): readonly string[] {
  if (hasEnded(state)) return [];
  const active = `active ${worker}`;
  if (state === 'queued') return [active, 'queued', `queued ${priority}`];
  const taken = [active, `under way ${worker}`];
  if (state !== 'running') return taken;
  return [...taken, 'running', ...(provider === undefined ? [] : [`running at ${provider}`])];
}

/** The job's index among the ready ones. */
function placeFor(ready: readonly JobRow[], row: JobRow): number {
  let from = 0;
  let to = ready.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = ready[middle];
    if (other !== undefined && comesBefore(other, row)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function comesBefore(a: JobRow, b: JobRow): boolean {
  const difference = priorities.indexOf(a.priority) - priorities.indexOf(b.priority);
  return difference < 0 || (difference === 0 && a.place < b.place);
}

function isDueBefore(row: JobRow, other: JobRow | undefined): boolean {
  const difference = (row.deadline ?? Infinity) - (other?.deadline ?? Infinity);
  return other === undefined || difference < 0 || (difference === 0 && row.place < other.place);
}

function isWanted(row: WorkerRow, { parent, session }: WorkerQuery): boolean {
  if (session !== undefined && row.session !== session) return false;
  return parent === undefined || row.parent === (parent ?? undefined);
}

function jobsOf(rows: MemoryRows, { worker, parent, which = 'all' }: JobQuery): readonly JobRow[] {
  const source = which === 'active' ? rows.active : rows.jobs;
  return [...source.values()].filter(
    (row) =>
      (worker === undefined || row.worker === worker) &&
      (parent === undefined || row.parent === parent) &&
      (which !== 'dead' || row.dead === true) &&
      (which !== 'listed' || row.archived !== true),
  );
}
