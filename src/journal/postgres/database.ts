/**
 * Statements on a pool of connections. Each is one transaction and may run on any connection, so a transaction pooler
 * in between changes nothing: no session state, no named statements, no transaction over several statements.
 *
 * Rondo sends a statement again if it got no answer. Each of its statements allows that: it carries an id, or
 * repeating it changes nothing. The pauses between attempts are random and grow up to a limit.
 *
 * A connection can fall silent without closing, when an address moves or a network drops it. So Rondo sends the
 * statement again on a connection that has answered since, or on a new one. If that one answers, Rondo also sends again
 * all statements that wait on connections silent since then.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type pg from 'pg';

import { Fault } from '../../kernel/fault.ts';
import { optional } from '../../kernel/optional.ts';
import type { PostgresPlace } from './postgres-address.ts';
import { postgresFault, troubleOf } from './postgres-fault.ts';
import { getTypeParser } from './column-types.ts';
import { toJson, toText } from './text-border.ts';

export interface Database {
  /** `doing` starts the message of a fault. */
  rows<Row>(doing: string, sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Gives a silent connection up early. An attempt that was given up is repeated with more time. */
  soon<Row>(doing: string, sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The same on a connection that waits for nothing else. Attempts are given up after `firstMs`, later twice that. */
  urgently<Row>(doing: string, sql: string, values: readonly SqlValue[], firstMs: number): Promise<readonly Row[]>;
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
  /** The same for the first attempt of what is answered soon. */
  readonly soonMs: number;
  /** How long opening a connection may take. */
  readonly connectMs: number;
}

const patient: Patience = { retryMs: 20_000, answerMs: 60_000, soonMs: 5000, connectMs: 10_000 };
const firstPauseMs = 50;
const longestPauseMs = 2000;

export async function openDatabase(place: PostgresPlace, given: Partial<Patience> = {}): Promise<Database> {
  const { default: client } = await import('pg');
  const { retryMs, answerMs, soonMs, connectMs } = { ...patient, ...given };
  const config: pg.PoolConfig = {
    connectionString: place.connectionString,
    application_name: 'rondo',
    keepAlive: true,
    connectionTimeoutMillis: Math.min(connectMs, answerMs),
    types: { getTypeParser },
    ...optional({ ssl: place.ssl }),
  };
  const heardAt = new WeakMap<pg.PoolClient, number>();
  /** When the newest attempt began that got no answer. */
  let silentFrom = -Infinity;
  const underWay = new Set<Attempt>();
  const silence = new Error('timeout: the server did not answer');
  const poolOf = (max: number, connectionTimeoutMillis: number) => {
    const pool = new client.Pool({
      ...config,
      connectionTimeoutMillis,
      max,
      idleTimeoutMillis: 10_000,
      allowExitOnIdle: true,
    });
    // An idle connection that breaks is replaced by the next statement.
    pool.on('error', () => undefined);
    pool.on('connect', (connection) => {
      // If a connection breaks during a statement, the statement fails and reports it.
      connection.on('error', () => undefined);
      heardAt.set(connection, performance.now());
    });
    return pool;
  };
  const openMs = Math.min(connectMs, answerMs);
  const pool = poolOf(place.connections, openMs);
  // One that falls silent while it opens must not cost a lease either.
  const urgent = poolOf(1, openMs / 5);
  let isClosed = false;
  let closing: Promise<void> | undefined;

  const isSilent = (connection: pg.PoolClient, from: number) => (heardAt.get(connection) ?? from) < from;

  async function connectionIn(among: pg.Pool): Promise<pg.PoolClient> {
    for (;;) {
      const connection = await among.connect();
      if (!isSilent(connection, silentFrom)) return connection;
      connection.release(true);
    }
  }

  async function once(
    among: pg.Pool,
    sql: string,
    values: readonly unknown[],
    withinMs: number,
  ): Promise<readonly unknown[]> {
    const connection = await connectionIn(among);
    const sentAt = performance.now();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const attempt: Attempt = { connection, giveUp: () => reject(silence) };
    const timer = setTimeout(attempt.giveUp, withinMs);
    underWay.add(attempt);
    try {
      const { rows } = await Promise.race([connection.query(sql, [...values]), late]);
      heardAt.set(connection, performance.now());
      connection.release();
      return rows as readonly unknown[];
    } catch (error) {
      if (error === silence) silentFrom = Math.max(silentFrom, sentAt);
      // A connection that may still be busy isn't used again. The statement itself isn't cancelled.
      connection.release(troubleOf(error)?.type === 'final' ? undefined : true);
      throw error;
    } finally {
      underWay.delete(attempt);
      clearTimeout(timer);
    }
  }

  async function run(
    doing: string,
    sql: string,
    values: readonly SqlValue[] = [],
    { firstMs = answerMs, mostMs = answerMs, first = pool } = {},
  ): Promise<readonly unknown[]> {
    const sent = values.map(parameterOf);
    const start = performance.now();
    const until = start + retryMs;
    let withinMs = firstMs;
    let unanswered: number | undefined;
    let among = first;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      const began = performance.now();
      if (isClosed)
        throw new Fault('closed', `${doing} in ${place.safeAddress} failed: the store was closed. Open it again.`);
      try {
        const rows = await once(among, sql, sent, withinMs);
        // It was the connection, neither the statement nor a slow server.
        if (unanswered !== undefined && performance.now() - began < soonMs) giveUpSilent(unanswered);
        return rows;
      } catch (error) {
        if (error === silence) unanswered = silentFrom;
        // Nor was there an answer to a new connection.
        else if (performance.now() - began >= openMs) unanswered ??= began;
        const trouble = troubleOf(error);
        if (trouble === undefined) throw error;
        if (among === urgent && error !== silence) {
          // No new connection can be had. If there is no room for one, others do. After a while, what waits won't be
          // answered either.
          if (trouble.type === 'refused') among = pool;
          else if (trouble.type === 'away' && performance.now() - start >= openMs) giveUpSilent(start);
        }
        const wait = pause * (0.5 + Math.random());
        const isOver = performance.now() + wait > until && withinMs === mostMs;
        if (trouble.type === 'final' || isClosed || isOver) {
          throw postgresFault(trouble, doing, place.safeAddress, error);
        }
        withinMs = Math.min(withinMs * 4, mostMs);
        await sleep(wait);
      }
    }
  }

  function giveUpSilent(from: number): void {
    for (const { connection, giveUp } of underWay) if (isSilent(connection, from)) giveUp();
  }

  return {
    rows: async (doing, sql, values) => (await run(doing, sql, values)) as never,
    soon: async (doing, sql, values) =>
      (await run(doing, sql, values, { firstMs: Math.min(soonMs, answerMs) })) as never,
    urgently: async (doing, sql, values, firstMs) =>
      (await run(doing, sql, values, { firstMs, mostMs: 2 * firstMs, first: urgent })) as never,
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
      return (closing ??= Promise.all([pool.end(), urgent.end()]).then(() => undefined));
    },
  };
}

interface Attempt {
  readonly connection: pg.PoolClient;
  readonly giveUp: () => void;
}

function parameterOf(value: SqlValue): unknown {
  if (typeof value === 'string') return toText(value);
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value;
  return toJson(value);
}
