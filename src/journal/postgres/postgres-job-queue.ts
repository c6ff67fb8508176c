import { randomUUID } from 'node:crypto';

import type { WorkerId } from '../../kernel/ids.ts';
import type { JobQuery, JobRow, WorkerRow } from '../../ports/job-queue.ts';
import { hasEnded } from '../job-queue-state.ts';
import type { QueueSource } from '../optimistic-queue.ts';
import type { ProcessLeases } from '../process-leases.ts';
import type { ProcessRow } from '../process-row.ts';
import { createServerJobQueue, type ServerJobQueue } from '../server-job-queue.ts';
import { hashOf } from './append-op.ts';
import type { StoreParts } from './store-parts.ts';

export function createPostgresJobQueue(parts: StoreParts, leases: Pick<ProcessLeases, 'started'>): ServerJobQueue {
  const { db, s, self, clock } = parts;

  async function select<Row>(
    doing: string,
    sql: string,
    ...values: readonly (string | null)[]
  ): Promise<readonly Row[]> {
    const rows = await db.rows<{ body: string }>(doing, sql, values);
    return rows.map(({ body }) => JSON.parse(body) as Row);
  }

  return createServerJobQueue({
    ...parts,
    leases,
    source: queueSource(parts),
    lookUp: () => ({
      worker: async (id) =>
        (
          await select<WorkerRow>(
            `Looking for worker ${id}`,
            `SELECT body FROM ${s}.workers WHERE id = $1 AND NOT dropped`,
            id,
          )
        )[0],
      async workers({ parent, session } = {}) {
        const sql = `SELECT body FROM ${s}.workers WHERE NOT dropped ORDER BY place`;
        const all = await select<WorkerRow>('Listing workers', sql);
        return all.filter(
          (row) =>
            (session === undefined || row.session === session) &&
            (parent === undefined || row.parent === (parent ?? undefined)),
        );
      },
      job: async (id) =>
        (await select<JobRow>(`Looking for job ${id}`, `SELECT body FROM ${s}.jobs WHERE id = $1`, id))[0],
      jobs: ({ worker, parent, which = 'all' } = {}) =>
        select<JobRow>(
          'Listing jobs',
          `SELECT body FROM ${s}.jobs WHERE ${conditions[which]} AND ($1::text IS NULL OR worker = $1)
           AND ($2::text IS NULL OR parent = $2) ORDER BY place`,
          worker ?? null,
          parent ?? null,
        ),
    }),
    processes: (doing, ids) =>
      db.rows<ProcessRow>(
        doing,
        `SELECT * FROM ${s}.processes WHERE id IN (SELECT jsonb_array_elements_text($1))`,
        [ids],
      ),
    register: async (doing) =>
      (await db.value<number | null>(doing, `SELECT ${s}.own_process($1, $2)`, [self(), clock.now()])) !== null,
  });
}

function queueSource({ db, s }: Pick<StoreParts, 'db' | 's'>): QueueSource {
  return {
    async read(doing, seen, { jobs, keys }) {
      const [changes] = await db.rows<Changes>(doing, changesAfter(s), [seen, jobs, keys.map(hashOf)]);
      const workers = (changes?.workers ?? []).map(([body, isDropped]) => ({
        row: JSON.parse(body) as WorkerRow,
        isDropped,
      }));
      return {
        number: changes?.number ?? seen,
        places: changes?.places ?? 0,
        workers: workers.flatMap(({ row, isDropped }) => (isDropped ? [] : [row])),
        dropped: workers.flatMap(({ row, isDropped }): readonly WorkerId[] => (isDropped ? [row.id] : [])),
        jobs: (changes?.jobs ?? []).map((body) => JSON.parse(body) as JobRow),
      };
    },
    async write(doing, seen, { workers, dropped, jobs }) {
      const isWritten = await db.value<boolean>(doing, `SELECT ${s}.write_queue($1, $2, $3, $4, $5)`, [
        seen,
        randomUUID(),
        workers.map((row) => [row.id, JSON.stringify(row)]),
        dropped,
        jobs.map(jobTuple),
      ]);
      return isWritten ? seen + 1 : undefined;
    },
  };
}

function jobTuple(row: JobRow) {
  return [
    row.id,
    row.place,
    row.key === undefined ? null : hashOf(row.key),
    row.worker,
    row.parent ?? null,
    hasEnded(row.state),
    row.archived === true,
    row.dead === true,
    JSON.stringify(row),
  ];
}

interface Changes {
  readonly number: number;
  readonly places: number;
  readonly workers: readonly (readonly [body: string, isDropped: boolean])[];
  readonly jobs: readonly string[];
}

const changesAfter = (s: string) => `
  SELECT number, coalesce((SELECT max(place) FROM ${s}.jobs), 0) AS places,
    (SELECT coalesce(jsonb_agg(jsonb_build_array(body, dropped) ORDER BY place), '[]') FROM ${s}.workers
     WHERE changed > $1 AND ($1 >= 0 OR NOT dropped)) AS workers,
    (SELECT coalesce(jsonb_agg(body ORDER BY place), '[]') FROM ${s}.jobs
     WHERE (changed > $1 AND ($1 >= 0 OR NOT archived)) OR id IN (SELECT jsonb_array_elements_text($2))
       OR hash IN (SELECT jsonb_array_elements_text($3))) AS jobs
  FROM ${s}.queue`;

const conditions: Readonly<Record<NonNullable<JobQuery['which']>, string>> = {
  active: 'NOT ended',
  listed: 'NOT archived',
  dead: 'dead',
  all: 'true',
};
