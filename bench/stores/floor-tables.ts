/**
 * The floor's tables on PostgreSQL: the rows and indexes that the store's guarantees need, and nothing else. A record has
 * its place, the numbers of its events, a checksum, the id of its append (to recognize a repeated one), and the
 * transaction (for other nodes to find it); the directory has what lists show, filter and sort by.
 */
import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { Client } from 'pg';

export const floorTables = `
  CREATE TABLE IF NOT EXISTS floor_records (
    session text COLLATE "C" NOT NULL, position bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
    checksum bigint NOT NULL, append text COLLATE "C" NOT NULL,
    xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint), body text NOT NULL,
    PRIMARY KEY (session, position));
  CREATE INDEX IF NOT EXISTS floor_by_first ON floor_records (session, first);
  CREATE INDEX IF NOT EXISTS floor_by_commit ON floor_records USING brin (xid) WITH (pages_per_range = 8, autosummarize = on);
  CREATE TABLE IF NOT EXISTS floor_directory (
    session text COLLATE "C" PRIMARY KEY, updated_at bigint NOT NULL, state text NOT NULL, agent text NOT NULL,
    title text NOT NULL, entry text NOT NULL,
    recency bigint GENERATED ALWAYS AS (updated_at / 10000) STORED) WITH (fillfactor = 70);
  CREATE INDEX IF NOT EXISTS floor_by_recency ON floor_directory (recency DESC);`;

export interface FloorAppend {
  readonly session: string;
  /** The newest record, which the new one follows. */
  readonly after: number;
  readonly first: number;
  readonly last: number;
  readonly body: string;
  readonly entry?: {
    readonly updatedAt: number;
    readonly state: string;
    readonly agent: string;
    readonly title: string;
  };
}

/** A connection whose statements are planned once. */
export async function connectFloor(address: string): Promise<Client> {
  const client = new Client({ connectionString: address, options: '-c plan_cache_mode=force_generic_plan' });
  await client.connect();
  return client;
}

/** One statement, one transaction: records at the positions after the ones they follow, and their entries. */
export async function appendToFloor(client: Client, group: readonly FloorAppend[]): Promise<void> {
  const { rowCount } = await client.query({
    name: 'append',
    text: append,
    values: [
      group.map(({ session }) => session),
      group.map(({ after }) => after),
      group.map(({ first }) => first),
      group.map(({ last }) => last),
      group.map(({ session, first, body }) => crc32(body, crc32(`${session} ${first} `))),
      group.map(() => randomUUID()),
      group.map(({ body }) => body),
      group.map(({ entry }) => entry?.updatedAt ?? null),
      group.map(({ entry }) => entry?.state ?? null),
      group.map(({ entry }) => entry?.agent ?? null),
      group.map(({ entry }) => entry?.title ?? null),
      group.map(({ entry }) => (entry === undefined ? null : JSON.stringify(entry))),
    ],
  });
  if (rowCount !== group.length) throw new Error(`Only ${rowCount} of ${group.length} records were appended.`);
}

const append = `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
      $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[])
      AS one(session, after, first, last, checksum, append, body, updated_at, state, agent, title, entry)),
  added AS (
    INSERT INTO floor_records AS r (session, position, first, last, checksum, append, body)
    SELECT session, after + 1, first, last, checksum, append, body FROM given
    WHERE after = 0 OR EXISTS (SELECT 1 FROM floor_records f WHERE f.session = given.session AND f.position = after)
    ORDER BY session ON CONFLICT (session, position) DO NOTHING RETURNING r.session),
  shown AS (
    INSERT INTO floor_directory (session, updated_at, state, agent, title, entry)
    SELECT session, updated_at, state, agent, title, entry FROM given
    WHERE entry IS NOT NULL AND (session IN (SELECT session FROM added)) IS TRUE ORDER BY session
    ON CONFLICT (session) DO UPDATE SET updated_at = excluded.updated_at, state = excluded.state,
      agent = excluded.agent, title = excluded.title, entry = excluded.entry)
  SELECT session FROM added`;
