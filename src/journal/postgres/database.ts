/**
 * Statements on a pool of connections. Each is one transaction and may run on any connection, so a transaction pooler
 * in between changes nothing: no session state, no named statements, no transaction over several statements.
 *
 * A statement that got no answer is sent again: every one of ours may be, because it carries an id or does the same
 * twice. Waiting between attempts grows, is random, and ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type pg from 'pg';

import { Fault } from '../../kernel/fault.ts';
import { optional } from '../../kernel/optional.ts';
import type { PostgresPlace } from './postgres-address.ts';
import { postgresFault, troubleOf } from './postgres-fault.ts';
import { fromJson, fromText, toJson, toText } from './text-border.ts';

export interface Database {
  /** `doing` starts the message of a fault. */
  rows<Row>(doing: string, sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Gives a silent connection up early. An attempt that was given up is repeated with more time. */
  read<Row>(doing: string, sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The first column of the only row. */
  value<Value>(doing: string, sql: string, values?: readonly SqlValue[]): Promise<Value>;
  /** A separate connection to listen on. */
  connect(): Promise<pg.Client>;
  close(): Promise<void>;
}

/** An object or an array is passed as jsonb. */
export type SqlValue = string | number | boolean | null | Buffer | object;

export interface Patience {
  /** How long a statement is repeated while the server is away. */
  readonly retryMs: number;
  /** How long one attempt may take before its connection counts as dead. */
  readonly answerMs: number;
  /** The same for a read's first attempt. */
  readonly readMs: number;
}

const patient: Patience = { retryMs: 20_000, answerMs: 60_000, readMs: 5000 };
const firstPauseMs = 50;
const longestPauseMs = 2000;

export async function openDatabase(place: PostgresPlace, given: Partial<Patience> = {}): Promise<Database> {
  const { default: client } = await import('pg');
  const { retryMs, answerMs, readMs } = { ...patient, ...given };
  const config: pg.PoolConfig = {
    connectionString: place.connectionString,
    application_name: 'rondo',
    keepAlive: true,
    connectionTimeoutMillis: Math.min(10_000, answerMs),
    types: { getTypeParser },
    ...optional({ ssl: place.ssl }),
  };
  const pool = new client.Pool({
    ...config,
    max: place.connections,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced by the next statement.
  pool.on('error', () => undefined);
  // A connection that breaks while it is used fails its statement, which tells.
  pool.on('connect', (connection) => connection.on('error', () => undefined));
  let isClosed = false;
  let closing: Promise<void> | undefined;

  async function once(sql: string, values: readonly unknown[], withinMs: number): Promise<readonly unknown[]> {
    const connection = await pool.connect();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('timeout: the server did not answer')), withinMs);
    });
    try {
      const { rows } = await Promise.race([connection.query(sql, [...values]), late]);
      connection.release();
      return rows as readonly unknown[];
    } catch (error) {
      // A connection that may still be busy isn't used again. The statement itself isn't cancelled.
      connection.release(troubleOf(error)?.type === 'final' ? undefined : true);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function run(
    doing: string,
    sql: string,
    values: readonly SqlValue[] = [],
    firstMs = answerMs,
  ): Promise<readonly unknown[]> {
    const sent = values.map(parameterOf);
    const until = performance.now() + retryMs;
    let withinMs = firstMs;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      if (isClosed)
        throw new Fault('closed', `${doing} in ${place.safeAddress} failed: the store was closed. Open it again.`);
      try {
        return await once(sql, sent, withinMs);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === undefined) throw error;
        const wait = pause * (0.5 + Math.random());
        const isOver = performance.now() + wait > until && withinMs === answerMs;
        if (trouble.type === 'final' || isClosed || isOver) {
          throw postgresFault(trouble, doing, place.safeAddress, error);
        }
        withinMs = Math.min(withinMs * 4, answerMs);
        await sleep(wait);
      }
    }
  }

  return {
    rows: async (doing, sql, values) => (await run(doing, sql, values)) as never,
    read: async (doing, sql, values) => (await run(doing, sql, values, Math.min(readMs, answerMs))) as never,
    async value(doing, sql, values) {
      const [row] = await run(doing, sql, values);
      return Object.values(row as object)[0] as never;
    },
    async connect() {
      const connection = new client.Client(config);
      connection.on('error', () => undefined);
      await connection.connect();
      return connection;
    },
    close() {
      isClosed = true;
      return (closing ??= pool.end());
    },
  };
}

function parameterOf(value: SqlValue): unknown {
  if (typeof value === 'string') return toText(value);
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value;
  return toJson(value);
}

const int8 = 20;
const int4 = 23;
const bool = 16;
const bytea = 17;
const jsonb = 3802;

/** Numbers of ours are far below 2^53. */
function getTypeParser(type: number): (text: string) => unknown {
  switch (type) {
    case int8:
    case int4:
      return Number;
    case bool:
      return (text) => text === 't';
    case bytea:
      return (text) => Buffer.from(text.slice(2), 'hex');
    case jsonb:
      return fromJson;
    default:
      return fromText;
  }
}
