/**
 * Brings the schema to the newest version. Processes that open at once wait for each other: each script is one
 * transaction that takes a lock first. A newer schema is refused unless it allows this version.
 */
import { Fault } from '../../kernel/fault.ts';
import { refuseMoved, type StoreState } from '../moved-store.ts';
import { appendBatchFunction } from './append-batch-function.ts';
import { appendFunctions } from './append-functions.ts';
import { appendPlainFunction } from './append-plain-function.ts';
import type { Database } from './database.ts';
import { leaseFunctions } from './lease-functions.ts';
import { newsFunction } from './news-function.ts';
import type { PostgresPlace } from './postgres-address.ts';
import { schemaSteps } from './schema.ts';
import { storeFunctions } from './store-functions.ts';

/** Raised with every change of a function. */
const functionsVersion = 7;
const oldestServer = 140_000;

export function quoted(schema: string): string {
  return `"${schema}"`;
}

/** Seconds, unless the store was created with another one. */
const usualLease = 15;

/**
 * Returns the store's lease in milliseconds: all processes must count the same. `purpose`: only a copy may open a
 * store that was moved or is incomplete.
 */
export async function migrate(
  db: Database,
  { schema, safeAddress, lease }: PostgresPlace,
  purpose: 'work' | 'copy' = 'work',
): Promise<number> {
  const leaseOf = ({ lease: stored }: { readonly lease: number }) => {
    if (lease === undefined || lease === stored) return stored * 1000;
    throw new Fault(
      'conflict',
      `Can't open ${safeAddress}: this store was created with a lease of ${stored} seconds, which all its processes share. ` +
        'Leave "lease" out of the address.',
    );
  };
  const [server] = await db.rows<{ version: number; facts: string | null }>(
    'Opening the store',
    `SELECT current_setting('server_version_num')::int AS version, to_regclass($1)::text AS facts`,
    [`${quoted(schema)}.facts`],
  );
  if ((server?.version ?? 0) < oldestServer) {
    throw new Fault(
      'unreadable',
      `Can't open ${safeAddress}: its server is older than PostgreSQL 14, which Rondo needs.`,
    );
  }
  const before = server?.facts === null || server === undefined ? undefined : await versionsIn(db, schema);
  if (before !== undefined && purpose === 'work') refuseMoved(safeAddress, before.state);
  if (before !== undefined && before.least > schemaSteps.length) {
    throw new Fault(
      'unreadable',
      `Can't open ${safeAddress}: its schema has version ${before.schema} and was made by a newer Rondo; this one knows ` +
        `versions up to ${schemaSteps.length}. Nothing was changed; upgrade Rondo to open it.`,
    );
  }
  if (before !== undefined && before.schema >= schemaSteps.length && before.functions >= functionsVersion)
    return leaseOf(before);
  await db.rows('Preparing the schema', scriptFor(schema, lease ?? usualLease));
  return leaseOf(await versionsIn(db, schema));
}

async function versionsIn(db: Database, schema: string) {
  const rows = await db.rows<{ name: string; value: string }>(
    'Opening the store',
    `SELECT name, value FROM ${quoted(schema)}.facts WHERE name IN ('schema', 'functions', 'least_schema', 'lease', 'state')`,
  );
  const facts = new Map(rows.map(({ name, value }) => [name, Number(value)]));
  const state = rows.find(({ name }) => name === 'state')?.value ?? 'ready';
  return {
    schema: facts.get('schema') ?? 0,
    functions: facts.get('functions') ?? 0,
    least: facts.get('least_schema') ?? 0,
    lease: facts.get('lease') ?? usualLease,
    state: state as StoreState,
  };
}

/** One statement, so that it is one transaction on any connection. */
function scriptFor(schema: string, lease: number): string {
  const s = quoted(schema);
  const text = (script: string) => `$rondo$${script}$rondo$`;
  const steps = schemaSteps.map(
    (step, index) => `
    IF version < ${index + 1} THEN
      EXECUTE ${text(step(s))};
    END IF;`,
  );
  const functions = [
    appendFunctions,
    appendBatchFunction,
    appendPlainFunction,
    leaseFunctions,
    storeFunctions,
    newsFunction,
  ].map((script) => `EXECUTE ${text(script(s))};`);
  return `DO $migration$
  DECLARE
    version integer := 0;
    known integer := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rondo ${schema}', 0));
    IF NOT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = '${schema}') THEN
      CREATE SCHEMA ${s};
    END IF;
    IF to_regclass('${s}.facts') IS NULL THEN
      CREATE TABLE ${s}.facts (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
      INSERT INTO ${s}.facts (name, value) VALUES ('least_schema', '1'), ('lease', '${lease}');
    END IF;
    SELECT coalesce(max(value::int), 0) INTO version FROM ${s}.facts WHERE name = 'schema';
    SELECT coalesce(max(value::int), 0) INTO known FROM ${s}.facts WHERE name = 'functions';
    ${steps.join('')}
    IF known < ${functionsVersion} THEN
      ${functions.join('\n')}
    END IF;
    INSERT INTO ${s}.facts (name, value)
    VALUES ('schema', greatest(version, ${schemaSteps.length})::text), ('functions', greatest(known, ${functionsVersion})::text)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value;
  END $migration$`;
}
