import { cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import type { Waited } from '../harness/contention.ts';
import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { isFailure, runChild, type ChildFailure } from '../harness/run-child.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { Opener, Opening, Reached } from './open-session.ts';
import type { Seed } from './seed-session.ts';

const rows = {
  'floor: read and fold everything': { opener: 'floor-fold', seed: 'floor' },
  'floor with a snapshot': { opener: 'floor-snapshot', seed: 'floor' },
  'Rondo, fresh process': { opener: 'rondo-fresh', seed: 'rondo-closed' },
  'Rondo, running process': { opener: 'rondo-running', seed: 'rondo-closed' },
  'Rondo, running process, killed just before its next snapshot': {
    opener: 'rondo-running',
    seed: 'rondo-killed',
  },
} as const satisfies Record<string, { opener: Opener; seed: Seed }>;
type Row = keyof typeof rows;

const goals: Readonly<Record<Reached, string>> = {
  ready: 'Ready for the next prompt',
  'model-call': 'First model call issued, whole context loaded',
  'first-screen': 'First screen of the transcript',
};
const eventsInFloorTurn = 8;
const rowNames = Object.keys(rows) as readonly Row[];
const reachedNames = Object.keys(goals) as readonly Reached[];

type Key = `${Row} ${Reached} ${number}`;

/** B. How soon a long session is there in a fresh process. */
export async function measureOpeningASession(plan: Plan): Promise<Section> {
  const sizes = plan.isQuick ? [1000, 100_000] : [1000, 10_000, 100_000];
  using folder = createScratchFolder();
  const seedFolder = (seed: Seed, size: number) => path.join(folder.path, `${seed}-${size}`);
  const failures: string[] = [];
  for (const size of sizes) {
    for (const seed of new Set(rowNames.map((row) => rows[row].seed))) {
      mkdirSync(seedFolder(seed, size));
      const argument = { seed, turns: size / eventsInFloorTurn, folder: seedFolder(seed, size) };
      const seeded = await runChild('seed-session', argument);
      if (isFailure(seeded)) failures.push(seeded.failure);
    }
  }

  const jobs = new Map<Key, () => Promise<(Opening & Waited) | ChildFailure>>();
  for (const row of rowNames) {
    for (const until of reachedNames) {
      for (const size of sizes) {
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
  const rounds = await runRounds(roundsOf(plan, 4), jobs);

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
      'A fresh process opens a seeded session of standard turns; its modules are loaded beforehand, opening the store counts. ' +
      'A running process has its store open and its writer thread at work, as a server does. ' +
      'Sizes are events of the floor, 8 a turn; Rondo keeps 9 for the same turn. Checked: the number of turns, messages or items found.',
    tables: reachedNames.map((until) => ({
      title: `${goals[until]}, ms`,
      head: [
        '',
        ...sizes.flatMap((size) => [size.toLocaleString('en-US'), '× snapshot floor']),
        'RSS MB at the largest',
      ],
      rows: rowNames.map((row) => cells(row, until)),
    })),
    figures: [...figures('Rondo, fresh process'), ...figures('Rondo, running process')],
    waitedShare: rounds.waitedShare,
    remarks: [...failures, ...rounds.failures],
  };
}
