/** What `rondo doctor` asks a server. */
import { openDatabase } from './database.ts';
import { postgresPlace } from './postgres-address.ts';

export interface ServerExamined {
  /** Without the password. */
  readonly safeAddress: string;
  readonly version: string;
  readonly isNewEnough: boolean;
  readonly isStandby: boolean;
  /** Whether the schema exists, and which privileges this user lacks for work on it. */
  readonly hasStore: boolean;
  readonly lacking: readonly string[];
  readonly synchronousCommit: string;
  readonly standbys: string;
  readonly hasFsync: boolean;
  readonly freeConnections: number;
  /** Whether notifications arrive; a transaction pooler swallows them. */
  readonly isNotified: boolean;
  readonly isEncrypted: boolean | undefined;
  readonly bytes: number;
}

const oldest = 140_000;
const notifiedMs = 2000;

export async function examineServer(address: string): Promise<ServerExamined> {
  const place = postgresPlace(address);
  const db = await openDatabase({ ...place, connections: 1 }, { retryMs: 3000, answerMs: 10_000 });
  try {
    const [row] = await db.rows<Row>('Examining the server', select, [place.schema]);
    if (row === undefined) throw new Error('The server gave no answer.');
    const { version, number, standby, bytes, has_store: hasStore, lacking } = row;
    return {
      safeAddress: place.safeAddress,
      version,
      isNewEnough: number >= oldest,
      isStandby: standby,
      hasStore,
      lacking,
      synchronousCommit: row.synchronous_commit,
      standbys: row.standbys,
      hasFsync: row.fsync === 'on',
      freeConnections: row.free,
      isNotified: await arrives(db),
      isEncrypted: row.encrypted ?? undefined,
      bytes,
    };
  } finally {
    await db.close();
  }
}

async function arrives(db: Awaited<ReturnType<typeof openDatabase>>): Promise<boolean> {
  const listener = await db.connect();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  listener.on('notification', () => resolve(true));
  const timer = setTimeout(() => resolve(false), notifiedMs);
  try {
    await listener.query('LISTEN rondo_doctor');
    await db.rows('Examining the server', `SELECT pg_notify('rondo_doctor', '')`);
    return await promise;
  } finally {
    clearTimeout(timer);
    await listener.end();
  }
}

interface Row {
  readonly version: string;
  readonly number: number;
  readonly standby: boolean;
  readonly has_store: boolean;
  readonly lacking: readonly string[];
  readonly synchronous_commit: string;
  readonly standbys: string;
  readonly fsync: string;
  readonly free: number;
  readonly encrypted: boolean | null;
  readonly bytes: number;
}

const select = `
  WITH place AS (SELECT to_regnamespace($1) AS schema)
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
    pg_is_in_recovery() AS standby, schema IS NOT NULL AS has_store,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS standbys, current_setting('fsync') AS fsync,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS free,
    (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS encrypted,
    (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
     WHERE relnamespace = schema AND relkind = 'r') AS bytes,
    CASE WHEN schema IS NULL THEN
      CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN '[]'::jsonb
        ELSE jsonb_build_array('CREATE on the database, or a schema that already exists') END
    ELSE (
      SELECT coalesce(jsonb_agg(what), '[]') FROM (
        SELECT 'USAGE on the schema' AS what WHERE NOT has_schema_privilege(schema, 'USAGE')
        UNION ALL
        SELECT privilege || ' on ' || relname FROM pg_class,
          unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
        WHERE relnamespace = schema AND relkind = 'r' AND NOT has_table_privilege(pg_class.oid, privilege)
        UNION ALL
        SELECT 'EXECUTE on ' || proname FROM pg_proc
        WHERE pronamespace = schema AND NOT has_function_privilege(pg_proc.oid, 'EXECUTE')
      ) AS missing) END AS lacking
  FROM place`;
