/** What a session and a turn take: bytes, statements and processor time. Valid on a busy machine, too. */
import path from 'node:path';

import Database from 'better-sqlite3';
import { Client } from 'pg';

import { natsPlace } from '../../src/journal/nats/nats-address.ts';
import { connectNats } from '../../src/journal/nats/nats-client.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { openRuntime } from '../workload/runtimes.ts';
import type { TurnSession } from '../workload/turn-runtime.ts';
import { createTurnWork, runTurn } from '../workload/turn-work.ts';

export interface StoreCosts {
  readonly sessionKb: number;
  readonly turnKb: number;
  /** Written to the write-ahead log. NaN if it isn't known. */
  readonly logKb: number;
  /** Commits, or messages on NATS. */
  readonly transactions: number;
  readonly cpuMs: number;
}

interface Meter extends AsyncDisposable {
  read(): Promise<Reading>;
}

interface Reading {
  readonly bytes: number;
  readonly logBytes: number;
  readonly transactions: number;
}

const sessionCount = 100;
const turnsEach = 10;

/** Without an address, on SQLite. */
export async function measureStoreCosts({ address }: { readonly address?: string }): Promise<StoreCosts> {
  using folder = createScratchFolder();
  const work = createTurnWork();
  const isNats = address?.startsWith('nats:') === true;
  const name = address === undefined ? 'rondo-sqlite' : isNats ? 'rondo-nats' : 'rondo-postgres';
  await using runtime = await openRuntime(name, folder.path, work, address);
  // Creates the tables.
  const first = await runtime.openSession();
  await runTurn(first, work);
  await first.close();
  await using meter = await (address === undefined
    ? sqliteMeter(path.join(folder.path, 'rondo.db'))
    : isNats
      ? natsMeter(address)
      : postgresMeter(address));

  const before = await meter.read();
  const sessions: TurnSession[] = [];
  for (let one = 0; one < sessionCount; one += 1) {
    const session = await runtime.openSession();
    await runTurn(session, work);
    sessions.push(session);
  }
  const opened = await meter.read();
  const cpuBefore = process.cpuUsage();
  for (let turn = 0; turn < turnsEach; turn += 1) for (const session of sessions) await runTurn(session, work);
  const { user, system } = process.cpuUsage(cpuBefore);
  const ended = await meter.read();
  for (const session of sessions) await session.close();

  const turns = sessionCount * turnsEach;
  const perTurn = (of: (reading: Reading) => number) => (of(ended) - of(opened)) / turns;
  const turnKb = perTurn(({ bytes }) => bytes) / 1024;
  return {
    sessionKb: (opened.bytes - before.bytes) / sessionCount / 1024 - turnKb,
    turnKb,
    logKb: perTurn(({ logBytes }) => logBytes) / 1024,
    transactions: perTurn(({ transactions }) => transactions),
    cpuMs: (user + system) / 1000 / turns,
  };
}

async function postgresMeter(address: string): Promise<Meter> {
  const url = new URL(address);
  const schema = url.searchParams.get('schema') ?? 'rondo';
  url.search = '';
  const client = new Client(url.href);
  await client.connect();
  return {
    async read() {
      const { rows } = await client.query<Record<keyof Reading, string>>(
        `SELECT (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c
                 WHERE relnamespace = $1::regnamespace AND relkind = 'r') AS "bytes",
           pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS "logBytes",
           (SELECT count(DISTINCT xid) FROM "${schema}".records) AS "transactions"`,
        [schema],
      );
      const [row] = rows;
      return {
        bytes: Number(row?.bytes),
        logBytes: Number(row?.logBytes),
        transactions: Number(row?.transactions),
      };
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

async function natsMeter(address: string): Promise<Meter> {
  const place = natsPlace(address);
  const { manager, close } = await connectNats(place);
  return {
    async read() {
      let bytes = 0;
      let messages = 0;
      for await (const { config, state } of manager.streams.list()) {
        if (!config.name.startsWith(`${place.name}_`)) continue;
        bytes += state.bytes;
        messages += state.last_seq;
      }
      return { bytes, logBytes: Number.NaN, transactions: messages };
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The log is overwritten, so its size says nothing. */
function sqliteMeter(file: string): Promise<Meter> {
  const database = new Database(file, { readonly: true });
  return Promise.resolve({
    read() {
      const bytes =
        Number(database.pragma('page_count', { simple: true })) *
        Number(database.pragma('page_size', { simple: true }));
      return Promise.resolve({ bytes, logBytes: Number.NaN, transactions: Number.NaN });
    },
    [Symbol.asyncDispose]() {
      database.close();
      return Promise.resolve();
    },
  });
}
