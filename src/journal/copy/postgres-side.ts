import { randomUUID } from 'node:crypto';

import type { JobRow } from '../../ports/job-queue.ts';
import { hasEnded } from '../job-queue-state.ts';
import type { StoreState } from '../moved-store.ts';
import { ownIdentity } from '../process-identity.ts';
import type { ProcessRow } from '../process-row.ts';
import { hashOf } from '../postgres/append-op.ts';
import { openDatabase } from '../postgres/database.ts';
import { migrate, quoted } from '../postgres/migrate.ts';
import { postgresPlace } from '../postgres/postgres-address.ts';
import { createPostgresBlobs } from '../postgres/postgres-blobs.ts';
import { wallClock } from '../store-clock.ts';
import {
  columnsOf,
  tableShapes,
  type CopiedRow,
  type CopiedTable,
  type CopySide,
  type TableShape,
} from './copied-tables.ts';
import { createLivingProcesses } from './living-processes.ts';
import { selectRows, type Dialect } from './select-rows.ts';

export async function openPostgresSide(address: string): Promise<CopySide> {
  const place = postgresPlace(address);
  const db = await openDatabase(place, { retryMs: 5000 });
  const leaseMs = await migrate(db, place, 'copy');
  const s = quoted(place.schema);
  const doing = 'Copying';
  const dialect: Dialect = {
    table: (name) => `${s}.${name}`,
    bytewise: (column) => `${column} COLLATE "C"`,
    parameter: (index) => `$${index + 1}`,
    workerPlace: 't.place',
  };
  const rows = (sql: string, ...values: readonly (string | number | null)[]) =>
    db.rows<CopiedRow>(doing, sql, values);
  const own = { id: `copy-${randomUUID()}`, ...ownIdentity() };
  let renewal: NodeJS.Timeout | undefined;
  async function leave(): Promise<void> {
    if (renewal === undefined) return;
    clearInterval(renewal);
    renewal = undefined;
    await rows(`DELETE FROM ${s}.processes WHERE id = $1`, own.id);
  }
  const renew = () =>
    rows(`UPDATE ${s}.processes SET beat = beat + 1, expires_at = $2 WHERE id = $1`, own.id, Date.now());
  return {
    name: place.safeAddress,
    blobs: createPostgresBlobs({ db, s, clock: wallClock }),
    async enter() {
      const { id, pid, startedAt, bootId, host } = own;
      await rows(
        `INSERT INTO ${s}.processes (id, pid, started_at, boot_id, host, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO NOTHING`,
        id,
        pid,
        startedAt,
        bootId,
        host,
        Date.now(),
      );
      renewal ??= setInterval(() => void renew().catch(() => undefined), leaseMs / 5);
    },
    async state() {
      const [row] = await rows(`SELECT value FROM ${s}.facts WHERE name = 'state'`);
      return (row?.['value'] ?? 'ready') as StoreState;
    },
    async setState(state) {
      await rows(
        `INSERT INTO ${s}.facts (name, value) VALUES ('state', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        state,
      );
    },
    living: createLivingProcesses({
      all: () => db.rows<ProcessRow>(doing, `SELECT * FROM ${s}.processes`),
      leaseMs,
      self: own.id,
    }),
    async page(table, after, limit) {
      if (after === undefined) return rows(selectRows(dialect, table, 'start'), limit);
      const { key }: TableShape = tableShapes[table];
      return rows(selectRows(dialect, table, 'after'), ...key.map((column) => after[column] ?? null), limit);
    },
    last: async (table) => (await rows(selectRows(dialect, table, 'end'), 1))[0],
    async put(table, given) {
      if (given.length > 0)
        await db.rows(doing, insertRows(s, table), [given.map((row) => ({ ...row, ...derived(table, row) }))]);
    },
    leave,
    async [Symbol.asyncDispose]() {
      await leave().catch(() => undefined);
      await db.close();
    },
  };
}

/** Columns that only this engine has. */
function derived(table: CopiedTable, row: CopiedRow): object {
  if (table === 'keys' || table === 'creations') return { hash: hashOf(String(row['key'])) };
  if (table !== 'jobs') return {};
  const job = JSON.parse(String(row['body'])) as JobRow;
  return {
    hash: job.key === undefined ? null : hashOf(job.key),
    worker: job.worker,
    parent: job.parent ?? null,
    ended: hasEnded(job.state),
    archived: job.archived === true,
    dead: job.dead === true,
    changed: 0,
  };
}

/** One statement for a page: all of it or nothing. */
function insertRows(s: string, table: CopiedTable): string {
  const shape: TableShape = tableShapes[table];
  const extra = {
    keys: ['hash'],
    creations: ['hash'],
    jobs: ['hash', 'worker', 'parent', 'ended', 'archived', 'dead', 'changed'],
  };
  const columns = [...columnsOf(table), ...(extra[table as keyof typeof extra] ?? [])];
  const cast = (column: string) => {
    if (shape.scoped === true && column === 'session')
      return `(SELECT number FROM ${s}.sessions WHERE id = x->>'session')`;
    return `(x->>'${column}')::${typeOf(table, column)}`;
  };
  const names = [
    ...columns,
    ...(table === 'records' ? ['position'] : []),
    ...(table === 'workers' ? ['changed'] : []),
  ];
  const values = [
    ...columns.map(cast),
    // Positions follow the records that are there.
    ...(table === 'records'
      ? [
          `(SELECT coalesce(max(r.position), 0) FROM ${s}.records r JOIN ${s}.sessions ON number = r.session
            WHERE id = x->>'session') + row_number() OVER (PARTITION BY x->>'session' ORDER BY (x->>'first')::bigint)`,
        ]
      : []),
    ...(table === 'workers' ? ['0'] : []),
  ];
  const isGiven = table === 'set_aside' || table === 'workers';
  return `WITH added AS (INSERT INTO ${s}.${table} (${names.map((name) => `"${name}"`).join(', ')})
      ${isGiven ? 'OVERRIDING SYSTEM VALUE' : ''}
      SELECT ${values.join(', ')} FROM jsonb_array_elements($1) AS x ${isAbsent(s, table)}
      ON CONFLICT DO NOTHING RETURNING 1)
    SELECT count(*)${sequenceAfter(s, table)} FROM added`;
}

/** Their position doesn't tell records that are there already. */
function isAbsent(s: string, table: CopiedTable): string {
  if (table !== 'records') return '';
  return `WHERE NOT EXISTS (SELECT 1 FROM ${s}.records r JOIN ${s}.sessions ON number = r.session
    WHERE id = x->>'session' AND r.first = (x->>'first')::bigint)`;
}

/** New rows are numbered after the copied ones. */
function sequenceAfter(s: string, table: CopiedTable): string {
  const column = { inbox: 'id', set_aside: 'number', workers: 'place' }[table as 'inbox'];
  if (column === undefined) return '';
  return `, setval(pg_get_serial_sequence('${s}.${table}', '${column}'),
    (SELECT max((x->>'${column}')::bigint) FROM jsonb_array_elements($1) AS x))`;
}

const numbers =
  /^(first|last|checksum|seq|version|epoch|due|place|number|at|changed|fences|unclean|left_open|in_flight|least_\w+|damage_seq|opened_at|settled_at|updated_at)$/;

function typeOf(table: CopiedTable, column: string): string {
  if (column === 'ended' || column === 'archived' || column === 'dead') return 'boolean';
  return numbers.test(column) || (table === 'inbox' && column === 'id') ? 'bigint' : 'text';
}
