import { isReady, providerLimit, type QueueTables } from '../job-queue-tables.ts';
import { type JobQuery, type JobRow, type WorkerQuery, type WorkerRow } from '../../ports/job-queue.ts';
import type { Owner } from '../../ports/lease.ts';
import { priorities } from '../job-priorities.ts';
import type { Driver, SqlValue } from './driver.ts';

/** The queue's rows, in a writer's transaction or for reading. */
export function sqliteQueueTables(db: Driver, { id: self, bootId: boot }: Owner): QueueTables {
  const job = (sql: string, ...values: readonly SqlValue[]) =>
    rowOf(db.get<Body>(sql, ...values)) as JobRow | undefined;
  const jobs = (sql: string, ...values: readonly SqlValue[]) =>
    db.all<Body>(sql, ...values).map(({ body }) => JSON.parse(body) as JobRow);
  const count = (sql: string, ...values: readonly SqlValue[]) =>
    db.get<{ count: number }>(sql, ...values)?.count ?? 0;
  return {
    self,
    boot,
    worker: (id) => rowOf(db.get<Body>('SELECT body FROM workers WHERE id = ?', id)) as WorkerRow | undefined,
    workers: ({ parent, session }: WorkerQuery) =>
      db
        .all<Body>(
          selectWorkers,
          parent === undefined ? 1 : 0,
          parent ?? null,
          session === undefined ? 1 : 0,
          session ?? null,
        )
        .map(({ body }) => JSON.parse(body) as WorkerRow),
    putWorker({ id, name, parent = null, session = null, ...rest }) {
      const row = { id, name, ...(parent !== null && { parent }), ...(session !== null && { session }), ...rest };
      db.run(putWorker, id, name, parent, session, JSON.stringify(row));
    },
    dropWorker: (id) => void db.run('DELETE FROM workers WHERE id = ?', id),
    job: (id) => job('SELECT body FROM jobs WHERE id = ?', id),
    jobOfKey: (key) => job('SELECT body FROM jobs WHERE key = ?', key),
    jobs: ({ worker, parent, which = 'all' }: JobQuery) =>
      jobs(selectJobs[which], worker ?? null, worker ?? null, parent ?? null, parent ?? null),
    putJob: (row) => putJob(db, row),
    nextPlace: () => count('SELECT coalesce(max(place), 0) + 1 AS count FROM jobs'),
    dependents: (id) => jobs(selectDependents, id),
    queuedCount: (priority) =>
      priority === undefined
        ? count(countQueued)
        : count(`${countQueued} AND priority = ?`, priorities.indexOf(priority)),
    nextReady(limits, filedBy) {
      const busy = db.all<{ provider: string | null; count: number }>(countRunning);
      if (busy.reduce((sum, row) => sum + row.count, 0) >= limits.running) return undefined;
      const full = busy.flatMap((row) =>
        row.provider !== null && row.count >= providerLimit(limits, row.provider) ? [row.provider] : [],
      );
      return job(selectReady, filedBy ?? null, filedBy ?? null, JSON.stringify(full));
    },
    abandoned: (gone) => jobs(selectAbandoned, JSON.stringify(gone)),
    runsElsewhere: (filedBy) => db.get(selectElsewhere, self, filedBy ?? null, filedBy ?? null) !== undefined,
    nextDue: (filedBy) => job(selectNextDue, filedBy ?? null, filedBy ?? null),
    owned: () => jobs(`SELECT body FROM jobs WHERE ${underWay} AND owner = ? ORDER BY place`, self),
    listedEnded: (worker) => jobs(selectListedEnded, worker),
    hasActive: (worker) => db.get(selectActive, worker) !== undefined,
  };
}

interface Body {
  readonly body: string;
}

/** The caller knows the table, and so the type. */
function rowOf(row: Body | undefined): unknown {
  return row === undefined ? undefined : JSON.parse(row.body);
}

function putJob(db: Driver, row: JobRow): void {
  const isNew = db.get('SELECT 1 FROM jobs WHERE id = ?', row.id) === undefined;
  db.run(
    putRow,
    row.place,
    row.id,
    row.key ?? null,
    row.worker,
    row.parent ?? null,
    row.state,
    priorities.indexOf(row.priority),
    isReady(row) ? 1 : 0,
    row.provider ?? null,
    row.filedBy,
    row.owner ?? null,
    row.deadline ?? null,
    row.endedAt ?? null,
    row.archived === true ? 1 : 0,
    row.dead === true ? 1 : 0,
    JSON.stringify(row),
  );
  if (isNew)
    for (const after of row.after)
      db.run('INSERT INTO job_dependencies (after, job) VALUES (?, ?)', after, row.id);
}

const underWay = `state IN ('running', 'waiting', 'stalled')`;
const active = 'ended_at IS NULL';
const selectWorkers = `
  SELECT body FROM workers WHERE (? = 1 OR parent IS ?) AND (? = 1 OR session IS ?) ORDER BY number`;
const putWorker = `
  INSERT INTO workers (id, name, parent, session, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, parent = excluded.parent, session = excluded.session,
    body = excluded.body`;
const putRow = `
  INSERT INTO jobs (place, id, key, worker, parent, state, priority, ready, provider, filed_by, owner,
    deadline, ended_at, archived, dead, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, ready = excluded.ready, owner = excluded.owner,
    deadline = excluded.deadline, ended_at = excluded.ended_at, archived = excluded.archived,
    dead = excluded.dead, body = excluded.body`;
const jobsWhere = (condition: string) =>
  `SELECT body FROM jobs WHERE ${condition} AND (? IS NULL OR worker = ?) AND (? IS NULL OR parent = ?) ORDER BY place`;
const selectJobs: Readonly<Record<NonNullable<JobQuery['which']>, string>> = {
  active: jobsWhere(active),
  listed: jobsWhere('archived = 0'),
  dead: jobsWhere('dead = 1'),
  all: jobsWhere('1'),
};
const selectDependents = `
  SELECT jobs.body FROM job_dependencies JOIN jobs ON jobs.id = job_dependencies.job
  WHERE job_dependencies.after = ? AND jobs.state = 'queued' ORDER BY jobs.place`;
const countQueued = `SELECT count(*) AS count FROM jobs WHERE state = 'queued'`;
const countRunning = `
  SELECT provider, count(*) AS count FROM jobs WHERE ${underWay} AND state = 'running' GROUP BY provider`;
const selectReady = `
  SELECT body FROM jobs AS ready WHERE ready.ready = 1 AND (? IS NULL OR filed_by = ?)
    AND (provider IS NULL OR provider NOT IN (SELECT value FROM json_each(?)))
    AND (state = 'stalled' OR NOT EXISTS (SELECT 1 FROM jobs AS taken WHERE taken.worker = ready.worker AND taken.${underWay}))
  ORDER BY priority, place LIMIT 1`;
const selectAbandoned = `
  SELECT body FROM jobs WHERE ${underWay}
    AND (owner IS NULL OR owner IN (SELECT value FROM json_each(?))) ORDER BY place`;
const selectElsewhere = `
  SELECT 1 FROM jobs WHERE ${underWay} AND owner <> ? AND (? IS NULL OR filed_by = ?) LIMIT 1`;
const selectListedEnded = `
  SELECT body FROM jobs WHERE worker = ? AND archived = 0 AND ended_at IS NOT NULL ORDER BY ended_at DESC, place DESC`;
const selectActive = `SELECT 1 FROM jobs WHERE worker = ? AND ${active} LIMIT 1`;
const selectNextDue = `
  SELECT body FROM jobs WHERE place = (
    SELECT place FROM jobs WHERE state = 'queued' AND deadline IS NOT NULL AND (? IS NULL OR filed_by = ?)
    ORDER BY deadline, place LIMIT 1)`;
