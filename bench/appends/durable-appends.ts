import type { Waited } from '../harness/contention.ts';
import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild, type ChildFailure } from '../harness/run-child.ts';
import { atLeast, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import { eventsBefore, sessionCount, type Appends } from './append-load.ts';

const writers = ['floor', 'port', 'port-with-entry'] as const;
type Writer = (typeof writers)[number];
const titles: Readonly<Record<Writer, string>> = {
  floor: 'floor: raw SQLite, best layout, groups of that size',
  port: 'journal port, events only',
  'port-with-entry': 'journal port, with the directory entry',
};

/** G. Durable events per second, with one writer and with many. */
export async function measureDurableAppends(plan: Plan): Promise<Section> {
  const sizes = plan.isQuick ? [1, 1000] : [1, 10, 100, 1000];
  const runMs = plan.isQuick ? 500 : 1000;
  const run = (writer: Writer, size: number): Promise<(Appends & Waited) | ChildFailure> =>
    writer === 'floor'
      ? runChild('floor-appends', { inGroup: size, runMs })
      : runChild('port-appends', { inFlight: size, runMs, withEntry: writer === 'port-with-entry' });
  const jobs = new Map(
    writers.flatMap((writer) => sizes.map((size) => [`${writer} ${size}`, () => run(writer, size)] as const)),
  );
  const rounds = await runRounds(roundsOf(plan, 3), jobs);
  const rate = (writer: Writer, size: number) =>
    medianOf(rounds.of(`${writer} ${size}`).map((one) => one.perSecond));
  const row = (writer: Writer) => [
    titles[writer],
    ...sizes.flatMap((size) => [rate(writer, size), rate(writer, size) / rate('floor', size)]),
  ];
  return {
    title: 'G. Durable appends',
    work:
      `Events of 300 bytes appended to ${sessionCount.toLocaleString('en-US')} sessions that already have ${eventsBefore}, SQLite WAL FULL. Through the port, N ` +
      'writers each await their append before the next; the floor commits groups of N.',
    tables: [
      {
        title: 'Events per second',
        head: [
          '',
          ...sizes.flatMap((size) => [
            size === 1 ? 'alone' : `${size.toLocaleString('en-US')} at once`,
            '× floor',
          ]),
        ],
        rows: writers.map(row),
      },
    ],
    figures: [
      atLeast('appends from 1,000 sessions, × floor', rate('port', 1000) / rate('floor', 1000), 0.7, {
        of: 'time',
      }),
      atLeast(
        'the same with directory entries, × floor',
        rate('port-with-entry', 1000) / rate('floor', 1000),
        0.7,
        { of: 'time' },
      ),
      atLeast('appends alone, × floor', rate('port', 1) / rate('floor', 1), 0.7, { of: 'time' }),
    ],
    waitedShare: rounds.waitedShare,
    remarks: rounds.failures,
  };
}
