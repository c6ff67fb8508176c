import type { JobId, WorkerId } from '../../kernel/ids.ts';
import type { JobQuery, JobQueue, JobRow, WorkerRow } from '../../ports/job-queue.ts';
import { fileJobs } from '../job-queue-filing.ts';
import {
  cancelJob,
  claimJob,
  isClaimNews,
  letGo,
  markJob,
  noteJob,
  releaseJobs,
  resolveStalled,
  settleJob,
  type LostOwner,
} from '../job-queue-running.ts';
import type { QueueTables } from '../job-queue-tables.ts';
import { changeWorker, dismissWorker, enrolWorker } from '../job-queue-workers.ts';
import { createListeners } from '../listeners.ts';
import type { ProcessLeases } from '../process-leases.ts';
import type { ProcessRow } from '../process-row.ts';
import { createQueueRows, type Named } from './queue-rows.ts';
import type { StoreParts } from './store-parts.ts';

export interface PostgresJobQueue extends JobQueue {
  /** Frees this process's jobs, if it ever claimed one. */
  leave(): Promise<void>;
}

export function createPostgresJobQueue(
  parts: StoreParts,
  leases: Pick<ProcessLeases, 'started'>,
): PostgresJobQueue {
  const { db, s, self, clock, watch, wakeUps } = parts;
  const rows = createQueueRows(parts);
  const changes = createListeners<void>();
  let hasClaimed = false;

  function tell(): void {
    changes.tell();
    wakeUps.wakeOthers();
  }

  async function write<Value>(doing: string, named: Named, work: (tables: QueueTables) => Value): Promise<Value> {
    const value = await rows.write(doing, named, work);
    tell();
    return value;
  }

  const ofJob = (id: JobId): Named => ({ jobs: [id] });

  /** Owners of running jobs that are gone or unknown to this store. */
  async function goneOwners(): Promise<readonly LostOwner[]> {
    const doing = 'Looking for owners of jobs';
    const running = await rows.read(doing, (tables) => tables.jobs({ which: 'active' }));
    const owners = new Set(
      running.flatMap(({ owner }) => (owner === undefined || owner === self().id ? [] : [owner])),
    );
    if (owners.size === 0) return [];
    const known = await db.rows<ProcessRow>(
      doing,
      `SELECT * FROM ${s}.processes WHERE id IN (SELECT jsonb_array_elements_text($1))`,
      [[...owners]],
    );
    return [...owners].flatMap((id) => {
      const row = known.find((one) => one.id === id);
      if (row === undefined) return [{ id, isStopped: false }];
      return watch.isGone(row) ? [{ id, isStopped: watch.isStopped(row) }] : [];
    });
  }

  async function select<Row>(
    doing: string,
    sql: string,
    ...values: readonly (string | null)[]
  ): Promise<readonly Row[]> {
    const found = await db.rows<{ body: string }>(doing, sql, values);
    return found.map(({ body }) => JSON.parse(body) as Row);
  }

  return {
    enrol: (row) => write('Enrolling a worker', {}, (tables) => enrolWorker(tables, row)),
    worker: async (id: WorkerId) =>
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
    changeWorker: (id, change) => write(`Changing worker ${id}`, {}, (tables) => changeWorker(tables, id, change)),
    dismiss: (id) => write(`Dismissing worker ${id}`, {}, (tables) => dismissWorker(tables, id)),
    file: (jobs, options) =>
      write(
        'Filing jobs',
        {
          jobs: jobs.flatMap(({ id, after }) => [id, ...after]),
          keys: jobs.flatMap(({ key }) => (key === undefined ? [] : [key])),
        },
        (tables) => fileJobs(tables, jobs, options),
      ),
    letGo: (id) => write(`Changing job ${id}`, ofJob(id), (tables) => letGo(tables, id)),
    async claim(request) {
      const gone = await goneOwners();
      // Others use this row to check whether a job's owner is alive. A process without its lease claims nothing.
      const doing = 'Claiming a job';
      const own = await db.value<number | null>(doing, `SELECT ${s}.own_process($1, $2)`, [self(), clock.now()]);
      if (own === null) return { ended: [], runsElsewhere: true };
      const result = await rows.write(doing, {}, (tables) => claimJob(tables, request, gone));
      if (result.job !== undefined) {
        hasClaimed = true;
        leases.started();
      }
      if (isClaimNews(result)) tell();
      return result;
    },
    note: (ticket, note) =>
      write(`Changing job ${ticket.job}`, ofJob(ticket.job), (tables) => noteJob(tables, ticket, note)),
    settle: (ticket, end) =>
      write(`Settling job ${ticket.job}`, ofJob(ticket.job), (tables) => settleJob(tables, ticket, end)),
    cancel: (id, request) => write(`Cancelling job ${id}`, ofJob(id), (tables) => cancelJob(tables, id, request)),
    resolve: (id, ...given) =>
      write(`Resolving job ${id}`, ofJob(id), (tables) => resolveStalled(tables, id, ...given)),
    release: () => write('Releasing jobs', {}, (tables) => releaseJobs(tables)),
    mark: (id, key) => rows.write(`Marking job ${id}`, ofJob(id), (tables) => markJob(tables, id, key)),
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
    onChange(listener) {
      const stop = [changes.add(listener), wakeUps.onQueue(listener)];
      return () => {
        for (const end of stop) end();
      };
    },
    async leave() {
      if (hasClaimed) await write('Releasing jobs', {}, (tables) => releaseJobs(tables));
    },
  };
}

const conditions: Readonly<Record<NonNullable<JobQuery['which']>, string>> = {
  active: 'NOT ended',
  listed: 'NOT archived',
  dead: 'dead',
  all: 'true',
};
