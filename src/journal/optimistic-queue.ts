/**
 * The job queue's rows in this process, for stores on servers. An operation runs on a copy in memory with the rules of
 * every store, and its changes are written if nobody else wrote in between; otherwise it runs again. So the queue is an
 * actor whose state is in the store (O12).
 */
import type { JobId, WorkerId } from '../kernel/ids.ts';
import type { JobRow, WorkerRow } from '../ports/job-queue.ts';
import type { Owner } from '../ports/lease.ts';
import type { QueueTables } from './job-queue-tables.ts';
import { createMemoryRows, memoryTables } from './memory/job-queue-tables.ts';

export interface QueueRows {
  /** Runs the operation and commits its changes. `named`: jobs and keys it looks up. */
  write<Value>(doing: string, named: Named, work: (tables: QueueTables) => Value): Promise<Value>;
  /** The copy after catching up. */
  read<Value>(doing: string, named: Named, work: (tables: QueueTables) => Value): Promise<Value>;
}

export interface Named {
  readonly jobs?: readonly JobId[];
  readonly keys?: readonly string[];
}

/** Where the rows are kept. Every change has a number. */
export interface QueueSource {
  /** Rows changed after a number (if negative, all but archived jobs), and the named rows. */
  read(doing: string, seen: number, named: Required<Named>): Promise<QueueRead>;
  /** Writes changes after the number that was seen, and returns theirs; undefined if another one is there. */
  write(doing: string, seen: number, changed: QueueChanged): Promise<number | undefined>;
}

export interface QueueRead {
  readonly number: number;
  readonly places: number;
  /** The copy is too old to catch up: these rows replace it. */
  readonly isWhole?: boolean;
  readonly workers: readonly WorkerRow[];
  readonly dropped: readonly WorkerId[];
  readonly jobs: readonly JobRow[];
}

export interface QueueChanged {
  readonly workers: readonly WorkerRow[];
  readonly dropped: readonly WorkerId[];
  readonly jobs: readonly JobRow[];
}

/** Ended jobs that aren't listed are read when an operation names them. With many of them the copy is made again. */
const mostArchived = 1000;

export function createQueueRows(source: QueueSource, self: () => Owner): QueueRows {
  let rows = createMemoryRows();
  let seen = -1;
  let archived = 0;
  let turn: Promise<unknown> = Promise.resolve();

  function reset(): void {
    rows = createMemoryRows();
    seen = -1;
    archived = 0;
  }

  async function catchUp(doing: string, { jobs = [], keys = [] }: Named): Promise<void> {
    if (archived > mostArchived) reset();
    const current = await source.read(doing, seen, { jobs, keys });
    if (current.isWhole === true) reset();
    const tables = memoryTables(rows, self());
    for (const worker of current.workers) tables.putWorker(worker);
    for (const id of current.dropped) tables.dropWorker(id);
    for (const job of current.jobs) {
      if (job.archived === true && rows.jobs.get(job.id)?.archived !== true) archived += 1;
      tables.putJob(job);
    }
    rows.places = Math.max(rows.places, current.places);
    seen = current.number;
  }

  /** One operation at a time, because they share the copy. */
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function attempt<Value>(doing: string, named: Named, work: (tables: QueueTables) => Value) {
    await catchUp(doing, named);
    const changes = recorded(memoryTables(rows, self()));
    const value = work(changes.tables);
    if (changes.isEmpty()) return { value };
    try {
      const written = await source.write(doing, seen, changes.changed());
      if (written !== undefined) {
        seen = written;
        return { value };
      }
      reset();
      return undefined;
    } catch (error) {
      reset();
      throw error;
    }
  }

  return {
    write: (doing, named, work) =>
      inTurn(async () => {
        for (;;) {
          const done = await attempt(doing, named, work);
          if (done !== undefined) return done.value;
        }
      }),
    read: (doing, named, work) =>
      inTurn(async () => {
        await catchUp(doing, named);
        return work(memoryTables(rows, self()));
      }),
  };
}

/** The tables, and what an operation changed in them. */
function recorded(tables: QueueTables) {
  const workers = new Map<WorkerId, WorkerRow>();
  const dropped = new Set<WorkerId>();
  const jobs = new Map<JobId, JobRow>();
  return {
    tables: {
      ...tables,
      putWorker(row) {
        tables.putWorker(row);
        workers.set(row.id, row);
        dropped.delete(row.id);
      },
      dropWorker(id) {
        tables.dropWorker(id);
        workers.delete(id);
        dropped.add(id);
      },
      putJob(row) {
        tables.putJob(row);
        jobs.set(row.id, row);
      },
    } satisfies QueueTables,
    isEmpty: () => workers.size + dropped.size + jobs.size === 0,
    changed: (): QueueChanged => ({
      workers: [...workers.values()],
      dropped: [...dropped],
      jobs: [...jobs.values()],
    }),
  };
}
