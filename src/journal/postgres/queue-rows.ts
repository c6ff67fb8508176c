/**
 * The job queue's rows in this process. An operation runs on a copy in memory with the rules of every store, and its
 * changes are written if nobody else wrote in between; otherwise it runs again. So the queue is an actor whose state
 * is in the database.
 */
import { randomUUID } from 'node:crypto';

import type { JobId, WorkerId } from '../../kernel/ids.ts';
import type { JobRow, WorkerRow } from '../../ports/job-queue.ts';
import { hasEnded } from '../job-queue-state.ts';
import type { QueueTables } from '../job-queue-tables.ts';
import { createMemoryRows, memoryTables } from '../memory/job-queue-tables.ts';
import { hashOf } from './append-op.ts';
import type { StoreParts } from './store-parts.ts';

export interface QueueRows {
  /** Runs the operation and commits its changes. `named`: jobs and keys it looks up. */
  write<Value>(doing: string, named: Named, work: (tables: QueueTables) => Value): Promise<Value>;
  /** The copy after catching up. */
  read<Value>(doing: string, work: (tables: QueueTables) => Value): Promise<Value>;
}

export interface Named {
  readonly jobs?: readonly JobId[];
  readonly keys?: readonly string[];
}

/** Ended jobs that aren't listed are read when an operation names them. With many of them the copy is made again. */
const mostArchived = 1000;

export function createQueueRows({ db, s, self }: Pick<StoreParts, 'db' | 's' | 'self'>): QueueRows {
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
    const [found] = await db.rows<Changes>(doing, select(s), [seen, jobs, keys.map(hashOf)]);
    if (found === undefined) return;
    const tables = memoryTables(rows, self());
    for (const [body, isDropped] of found.workers) {
      const worker = JSON.parse(body) as WorkerRow;
      if (isDropped) tables.dropWorker(worker.id);
      else tables.putWorker(worker);
    }
    for (const body of found.jobs) {
      const job = JSON.parse(body) as JobRow;
      if (job.archived === true && rows.jobs.get(job.id)?.archived !== true) archived += 1;
      tables.putJob(job);
    }
    rows.places = found.places;
    seen = found.number;
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
      const isWritten = await db.value<boolean>(doing, `SELECT ${s}.write_queue($1, $2, $3, $4, $5)`, [
        seen,
        randomUUID(),
        changes.workers(),
        changes.dropped(),
        changes.jobs(),
      ]);
      if (isWritten) {
        seen += 1;
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
    read: (doing, work) =>
      inTurn(async () => {
        await catchUp(doing, {});
        return work(memoryTables(rows, self()));
      }),
  };
}

interface Changes {
  readonly number: number;
  readonly places: number;
  readonly workers: readonly (readonly [body: string, isDropped: boolean])[];
  readonly jobs: readonly string[];
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
    workers: () => [...workers.values()].map((row) => [row.id, JSON.stringify(row)]),
    dropped: () => [...dropped],
    jobs: () =>
      [...jobs.values()].map((row) => [
        row.id,
        row.place,
        row.key === undefined ? null : hashOf(row.key),
        row.worker,
        row.parent ?? null,
        hasEnded(row.state),
        row.archived === true,
        row.dead === true,
        JSON.stringify(row),
      ]),
  };
}

const select = (s: string) => `
  SELECT number, coalesce((SELECT max(place) FROM ${s}.jobs), 0) AS places,
    (SELECT coalesce(jsonb_agg(jsonb_build_array(body, dropped) ORDER BY place), '[]') FROM ${s}.workers
     WHERE changed > $1 AND ($1 >= 0 OR NOT dropped)) AS workers,
    (SELECT coalesce(jsonb_agg(body ORDER BY place), '[]') FROM ${s}.jobs
     WHERE (changed > $1 AND ($1 >= 0 OR NOT archived)) OR id IN (SELECT jsonb_array_elements_text($2))
       OR hash IN (SELECT jsonb_array_elements_text($3))) AS jobs
  FROM ${s}.queue`;
