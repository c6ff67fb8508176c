import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Waited } from '../harness/contention.ts';
import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { isFailure, runChild, type ChildFailure } from '../harness/run-child.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { Opener, Opening, Reached } from './open-session.ts';
import { isTurnPeer, preparePeers, turnPeers } from '../peers/turn-peers.ts';
import { seedFolderOf, type OpenPeerName } from './open-peer.ts';
import type { Seed } from './seed-session.ts';

const ownRows = {
  'floor: read and fold everything': { opener: 'floor-fold', seed: 'floor' },
  'floor with a snapshot': { opener: 'floor-snapshot', seed: 'floor' },
  'Rondo, fresh process': { opener: 'rondo-fresh', seed: 'rondo-closed' },
  'Rondo, running process': { opener: 'rondo-running', seed: 'rondo-closed' },
  'Rondo, running process, killed just before its next snapshot': {
    opener: 'rondo-running',
    seed: 'rondo-killed',
  },
} as const satisfies Record<string, { opener: Opener; seed: Seed }>;
const peerRows = {
  [turnPeers['pi-sqlite'].title]: { opener: 'pi-sqlite', seed: 'pi-sqlite' },
  [turnPeers['langgraph-sqlite'].title]: { opener: 'langgraph-sqlite', seed: 'langgraph-sqlite' },
  [turnPeers['mastra-libsql'].title]: { opener: 'mastra-libsql', seed: 'mastra-libsql' },
} as const satisfies Record<string, { opener: OpenPeerName; seed: OpenPeerName }>;
const rows = { ...ownRows, ...peerRows };
type Row = keyof typeof rows;
/** Seeding a peer with more takes minutes, once; Mastra's opening time grows quadratically. */
const quickPeerSize = 10_000;
const seedingMs = 900_000;

const goals: Readonly<Record<Reached, string>> = {
  ready: 'Ready for the next prompt',
  'model-call': 'First model call issued, whole context loaded',
  'first-screen': 'First screen of the transcript',
};
const eventsInFloorTurn = 8;
const reachedNames = Object.keys(goals) as readonly Reached[];

type Key = `${Row} ${Reached} ${number}`;

/** B. How soon a long session is ready in a fresh process. */
export async function measureOpeningASession(plan: Plan): Promise<Section> {
  const sizes = [1000, 10_000, 100_000];
  const peers = plan.withPeers
    ? await preparePeers(['pi-sqlite', 'langgraph-sqlite', 'mastra-libsql'])
    : { ready: [], remarks: [] };
  const rowNames = (Object.keys(rows) as readonly Row[]).filter(
    (row) => !isTurnPeer(rows[row].opener) || peers.ready.some((name) => name === rows[row].opener),
  );
  const isRun = (row: Row, until: Reached, size: number) =>
    !isTurnPeer(rows[row].opener) ||
    (until !== 'first-screen' &&
      (size <= quickPeerSize || (!plan.isQuick && rows[row].opener !== 'mastra-libsql')));
  using folder = createScratchFolder();
  const seedFolder = (seed: Seed, size: number) =>
    isPeerSeed(seed) ? seedFolderOf(seed, size / eventsInFloorTurn) : path.join(folder.path, `${seed}-${size}`);
  const failures: string[] = [...peers.remarks];
  for (const size of sizes) {
    for (const seed of new Set(rowNames.filter((row) => isRun(row, 'ready', size)).map((row) => rows[row].seed))) {
      const seeded = await sow(seed, size, seedFolder(seed, size));
      if (seeded !== undefined && isFailure(seeded)) failures.push(`${seed}: ${seeded.failure}`);
    }
  }

  const jobs = new Map<Key, () => Promise<(Opening & Waited) | ChildFailure>>();
  for (const row of rowNames) {
    for (const until of reachedNames) {
      for (const size of sizes.filter((one) => isRun(row, until, one))) {
        jobs.set(`${row} ${until} ${size}`, async () => {
          const copy = path.join(folder.path, 'copy');
          cpSync(seedFolder(rows[row].seed, size), copy, { recursive: true });
          const result = await runChild('open-session', {
            opener: rows[row].opener,
            until,
            turns: size / eventsInFloorTurn,
            folder: copy,
          });
          rmSync(copy, { recursive: true });
          return result;
        });
      }
    }
  }
  const rounds = await runRounds(roundsOf(plan, 5, 3), jobs);

  const of = (row: Row, until: Reached, size: number) => rounds.of(`${row} ${until} ${size}`);
  const ms = (row: Row, until: Reached, size: number) => medianOf(of(row, until, size).map((one) => one.ms));
  const timesFloor = (row: Row, until: Reached, size: number) =>
    ms(row, until, size) / ms('floor with a snapshot', until, size);
  const largest = sizes.at(-1) ?? 0;
  const cells = (row: Row, until: Reached) => [
    row,
    ...sizes.flatMap((size) => [ms(row, until, size), timesFloor(row, until, size)]),
    medianOf(of(row, until, largest).map((one) => one.rssMb)),
  ];

  const figures = (row: Row) => [
    ...sizes.map((size) => {
      const name = `${row}: ready at ${size.toLocaleString('en-US')} events, × snapshot floor`;
      return atMost(name, timesFloor(row, 'ready', size), 1.5, { of: 'time' });
    }),
    atMost(`${row}: ready at 100,000 events`, ms(row, 'ready', largest), 15, { of: 'time', unit: 'ms' }),
    atMost(`${row}: first screen at 100,000 events`, ms(row, 'first-screen', largest), 10, {
      of: 'time',
      unit: 'ms',
    }),
  ];

  return {
    title: 'B. Opening a session',
    work:
      'A fresh process opens a seeded session of standard turns. Its modules are loaded beforehand; opening the store ' +
      'counts. A running process has its store open and its writer running, like a server. Ready means that the state ' +
      'is in memory, as for the floors; the session is claimed right after that and before its first input. Sizes are ' +
      "the floor's events, 8 per turn; Rondo stores 9 for the same turn. Checked: the number of turns, messages or " +
      'items found.',
    tables: reachedNames.map((until) => ({
      title: `${goals[until]}, ms`,
      head: [
        '',
        ...sizes.flatMap((size) => [size.toLocaleString('en-US'), '× snapshot floor']),
        'RSS MB at the largest',
      ],
      rows: rowNames.filter((row) => isRun(row, until, 1000)).map((row) => cells(row, until)),
    })),
    plots: [
      {
        name: 'opening',
        title: 'From a closed store to the first model call',
        x: { label: 'events of the session', scale: 'logarithmic' },
        y: { label: 'ms', scale: 'logarithmic' },
        curves: rowNames.map((row) => ({
          title: row,
          of: isTurnPeer(rows[row].opener) ? 'peer' : row.startsWith('floor') ? 'floor' : 'rondo',
          points: sizes.map((size) => [size, ms(row, 'model-call', size)] as const),
        })),
      },
    ],
    figures: [...figures('Rondo, fresh process'), ...figures('Rondo, running process')],
    waitedShare: rounds.waitedShare,
    remarks: [...failures, ...rounds.failures],
  };
}

function isPeerSeed(seed: Seed): seed is OpenPeerName {
  return isTurnPeer(seed);
}

/** A peer's seed doesn't depend on our code, so it is kept beside its packages. */
async function sow(seed: Seed, size: number, folder: string): Promise<object | ChildFailure | undefined> {
  const stamp = `${folder}.seeded`;
  if (isPeerSeed(seed) && existsSync(stamp)) return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const argument = { seed, turns: size / eventsInFloorTurn, folder };
  const seeded = await runChild('seed-session', argument, { timeoutMs: seedingMs });
  if (isPeerSeed(seed) && !isFailure(seeded)) writeFileSync(stamp, '');
  return seeded;
}
