import { rmSync } from 'node:fs';
import path from 'node:path';

import { eventsBefore, sessionCount } from '../appends/append-load.ts';
import type { Waited } from '../harness/contention.ts';
import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { isFailure, runChild, type ChildFailure } from '../harness/run-child.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import { preparePeers } from '../peers/turn-peers.ts';
import { titleOf, type RuntimeName } from '../workload/runtimes.ts';
import { engineNames, startEngines, type Engine } from './engines.ts';
import { measureNodes } from './node-costs.ts';
import { measureStoreAppends } from './store-appends.ts';
import type { StoreCosts } from './store-costs.ts';

/** Opening and take-over have a floor on these. */
const sqlEngines = ['sqlite', 'postgres'] as const;
type SqlEngine = (typeof sqlEngines)[number];
const eventsInFloorTurn = 8;

/** Appends, turns, opening and take-over on each engine, beside a floor. */
export async function measureStores(plan: Plan): Promise<Section> {
  await using engines = await startEngines();
  const { postgres: server, newFolder: newFile } = engines;
  const newSchema = server.newStore;
  const peers = plan.withPeers
    ? await preparePeers(['langgraph-postgres', 'dbos-postgres'])
    : { ready: [], remarks: [] };
  const runMs = plan.isQuick ? 500 : 2000;
  const turns = {
    sqlite: ['floor-step', 'rondo-sqlite'],
    postgres: ['floor-postgres', 'rondo-postgres', ...peers.ready],
    nats: ['floor-nats', 'rondo-nats'],
  } as const satisfies Readonly<Record<Engine, readonly RuntimeName[]>>;
  const turnJobs = new Map<RuntimeName, () => ReturnType<typeof runTurns>>(
    engines.all.flatMap((engine) => turns[engine]).map((name) => [name, () => runTurns(name)]),
  );
  function runTurns(runtime: RuntimeName) {
    // Rondo has a separate store; others create their tables in the usual schema.
    const isRondo = runtime === 'rondo-postgres' || runtime === 'rondo-nats';
    const on = runtime.endsWith('-nats') ? (engines.nats ?? server) : server;
    const address = isRondo ? on.newStore() : on.address;
    return runChild('single-turns', { runtime, warmMs: plan.isQuick ? 300 : 1000, runMs, address });
  }

  const longTurns = (plan.isQuick ? 10_000 : 100_000) / eventsInFloorTurn;
  const remarks: string[] = [...engines.remarks, ...peers.remarks];
  const longAddress = newSchema();
  const longFolders = { floor: newFile(), 'rondo-closed': newFile() };
  const seeds: readonly (object | ChildFailure)[] = [
    await runChild('seed-postgres', { address: longAddress, turns: longTurns }, { timeoutMs: 900_000 }),
    await runChild('seed-session', { seed: 'floor', turns: longTurns, folder: longFolders.floor }),
    await runChild('seed-session', {
      seed: 'rondo-closed',
      turns: longTurns,
      folder: longFolders['rondo-closed'],
    }),
  ];
  for (const seeded of seeds) if (isFailure(seeded)) remarks.push(seeded.failure);
  const openSqlite = (opener: 'floor-snapshot' | 'rondo-running', place: string) =>
    runChild('open-session', { opener, until: 'ready', turns: longTurns, folder: place });
  const openJobs = new Map<OpenKey, () => Promise<(Waited & { readonly ms: number }) | ChildFailure>>([
    ['sqlite floor', () => openSqlite('floor-snapshot', longFolders.floor)],
    ['sqlite rondo', () => openSqlite('rondo-running', longFolders['rondo-closed'])],
    [
      'postgres floor',
      () => runChild('open-postgres', { opener: 'floor', address: longAddress, turns: longTurns }),
    ],
    [
      'postgres rondo',
      () => runChild('open-postgres', { opener: 'rondo', address: longAddress, turns: longTurns }),
    ],
  ]);

  const takenOver = plan.isQuick ? 100 : 1000;
  const takeOver = async (store: string) => {
    const left = await runChild('leave-sessions', { store, sessions: takenOver });
    if (!isFailure(left) || !left.failure.includes('SIGKILL'))
      return isFailure(left) ? left : { failure: 'The process that should be killed was not.' };
    return runChild('take-over', { store, sessions: takenOver });
  };
  const inFolder = async <Result>(run: (store: string) => Promise<Result>) => {
    const place = newFile();
    try {
      return await run(`sqlite:${path.join(place, 'rondo.db')}`);
    } finally {
      rmSync(place, { recursive: true });
    }
  };
  const takeOverFloor = (store: string) => runChild('take-over-floor', { store, sessions: takenOver });
  const takeOverJobs = new Map<OpenKey, () => Promise<(Waited & { readonly ms: number }) | ChildFailure>>([
    ['sqlite floor', () => inFolder(takeOverFloor)],
    ['sqlite rondo', () => inFolder(takeOver)],
    ['postgres floor', () => takeOverFloor(server.address)],
    ['postgres rondo', () => takeOver(newSchema())],
  ]);

  const costJobs = new Map<Engine, () => ReturnType<typeof runCosts>>(
    engines.all.map((engine) => [engine, () => runCosts(engine)]),
  );
  const runCosts = (engine: Engine) =>
    runChild('store-costs', engine === 'sqlite' ? {} : { address: engines[engine]?.newStore() ?? '' });

  const rounds = roundsOf(plan, 3);
  const appended = await measureStoreAppends(engines, { rounds, runMs });
  const turned = await runRounds(rounds, turnJobs);
  const opened = await runRounds(rounds, openJobs);
  const taken = await runRounds(rounds, takeOverJobs);
  const costs = await runRounds(1, costJobs);
  const nodes = await measureNodes(server, { warmMs: plan.isQuick ? 300 : 1000, runMs });

  const p50 = (name: RuntimeName) => medianOf(turned.of(name).map((one) => one.p50));
  const turnShare = (name: RuntimeName, engine: Engine) => p50(name) / p50(turns[engine][0]);
  const ms = (of: typeof opened, key: OpenKey) => medianOf(of.of(key).map((one) => one.ms));
  const timesFloor = (of: typeof opened, engine: SqlEngine) =>
    ms(of, `${engine} rondo`) / ms(of, `${engine} floor`);
  const beside = (title: string, of: typeof opened) => ({
    title,
    head: ['', 'floor', 'Rondo', '× floor'],
    rows: sqlEngines.map((engine) => [
      engineNames[engine],
      ms(of, `${engine} floor`),
      ms(of, `${engine} rondo`),
      timesFloor(of, engine),
    ]),
  });

  return {
    title: 'Stores',
    work: `Events of 300 bytes appended to ${sessionCount.toLocaleString('en-US')} sessions that already have ${eventsBefore}, on SQLite and PostgreSQL synced before each answer. N writers each await their append before the next; the floors on servers do the same with the same batching and write the same records and entries by hand, the floor on SQLite commits groups of N. A turn is the standard one, in a new session. Opening is in a process that has its store open; the floor reads its snapshot. For the take-over, a process with ${takenOver.toLocaleString('en-US')} sessions in the middle of a model call is killed; measured is from the first look for work until all are claimed, recovered and calling the model again, without the lease; the floor fences all of them and appends one event each, in bulk.`,
    tables: [
      appended.table,
      {
        title: 'Durable turn',
        head: ['', 'p50 ms', 'p99 ms', '× floor', 'CPU ms'],
        rows: engines.all.flatMap((engine) =>
          turns[engine].map((name) => [
            titleOf(name),
            p50(name),
            medianOf(turned.of(name).map((one) => one.p99)),
            turnShare(name, engine),
            medianOf(turned.of(name).map((one) => one.cpuMs)),
          ]),
        ),
      },
      beside(`Opening a session of ${(longTurns * eventsInFloorTurn).toLocaleString('en-US')} events, ms`, opened),
      {
        title: 'What a session and a turn cost',
        head: [
          '',
          'kB a session',
          'kB a turn',
          'kB of log a turn',
          'transactions or messages a turn',
          'CPU ms a turn, without the server',
        ],
        rows: engines.all.map((engine) => {
          const of = (read: (one: StoreCosts) => number) => medianOf(costs.of(engine).map(read));
          return [
            engineNames[engine],
            of((one) => one.sessionKb),
            of((one) => one.turnKb),
            of((one) => one.logKb),
            of((one) => one.transactions),
            of((one) => one.cpuMs),
          ];
        }),
      },
      nodes.table,
      beside(`Taking over ${takenOver.toLocaleString('en-US')} sessions, ms`, taken),
    ],
    figures: [
      ...appended.figures,
      atMost('PostgreSQL, durable turn, × floor', turnShare('rondo-postgres', 'postgres'), 2, { of: 'time' }),
      ...(engines.nats === undefined
        ? []
        : [atMost('NATS, durable turn, × floor', turnShare('rondo-nats', 'nats'), 2, { of: 'time' })]),
      ...nodes.figures,
      // A quick run takes over too few to judge.
      ...(plan.isQuick
        ? []
        : [
            atMost('PostgreSQL, take-over of 1,000 sessions', ms(taken, 'postgres rondo'), 5000, {
              of: 'time',
              unit: 'ms',
            }),
          ]),
    ],
    waitedShare: Math.max(appended.waitedShare, turned.waitedShare),
    remarks: [
      ...remarks,
      ...appended.failures,
      ...turned.failures,
      ...opened.failures,
      ...taken.failures,
      ...costs.failures,
      ...nodes.failures,
    ],
  };
}

type OpenKey = `${SqlEngine} ${'floor' | 'rondo'}`;
