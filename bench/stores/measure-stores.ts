import { startServer } from '../../test/fixtures/postgres/server.ts';
import { sessionCount, type Appends } from '../appends/append-load.ts';
import type { Waited } from '../harness/contention.ts';
import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild, type ChildFailure } from '../harness/run-child.ts';
import { atLeast, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';

const writers = [
  'sqlite-floor',
  'sqlite',
  'sqlite-entry',
  'postgres-floor',
  'postgres',
  'postgres-entry',
] as const;
type Writer = (typeof writers)[number];
const titles: Readonly<Record<Writer, string>> = {
  'sqlite-floor': 'floor: raw SQLite',
  sqlite: 'SQLite, events only',
  'sqlite-entry': 'SQLite, with the directory entry',
  'postgres-floor': 'floor: hand-written SQL on PostgreSQL',
  postgres: 'PostgreSQL, events only',
  'postgres-entry': 'PostgreSQL, with the directory entry',
};

/** Durable appends on both engines, each beside its own floor. */
export async function measureStores(plan: Plan): Promise<Section> {
  // Durable, unlike in tests: every commit is synced.
  await using server = await startServer({
    settings: { fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB' },
  });
  const runMs = plan.isQuick ? 500 : 2000;
  let schemas = 0;
  const run = (writer: Writer, size: number): Promise<(Appends & Waited) | ChildFailure> => {
    const withEntry = writer.endsWith('entry');
    switch (writer) {
      case 'sqlite-floor':
        return runChild('floor-appends', { inGroup: size, runMs });
      case 'postgres-floor':
        return runChild('postgres-floor', { address: server.address, inGroup: size, runMs });
      case 'sqlite':
      case 'sqlite-entry':
        return runChild('port-appends', { inFlight: size, runMs, withEntry });
      case 'postgres':
      case 'postgres-entry': {
        const address = `${server.address}?schema=bench_${(schemas += 1)}`;
        return runChild('port-appends', { inFlight: size, runMs, withEntry, address });
      }
    }
  };
  const sizes = [1, 1000];
  const jobs = new Map(
    writers.flatMap((writer) => sizes.map((size) => [`${writer} ${size}`, () => run(writer, size)] as const)),
  );
  const rounds = await runRounds(roundsOf(plan, 3), jobs);
  const rate = (writer: Writer, size: number) =>
    medianOf(rounds.of(`${writer} ${size}`).map((one) => one.perSecond));
  const floorOf = (writer: Writer): Writer => (writer.startsWith('sqlite') ? 'sqlite-floor' : 'postgres-floor');
  const share = (writer: Writer, size: number) => rate(writer, size) / rate(floorOf(writer), size);
  return {
    title: 'Stores',
    work: `Events of 300 bytes appended to ${sessionCount.toLocaleString('en-US')} sessions that already have 50, synced before each answer. N writers each await their append before the next; a floor commits groups of N.`,
    tables: [
      {
        title: 'Events per second',
        head: ['', 'alone', '× floor', '1,000 at once', '× floor'],
        rows: writers.map((writer) => [
          titles[writer],
          ...sizes.flatMap((size) => [rate(writer, size), share(writer, size)]),
        ]),
      },
    ],
    figures: [
      atLeast('PostgreSQL, appends alone, × floor', share('postgres', 1), 0.7, { of: 'time' }),
      atLeast('PostgreSQL, appends from 1,000 sessions, × floor', share('postgres', 1000), 0.7, { of: 'time' }),
      atLeast('PostgreSQL, the same with directory entries, × floor', share('postgres-entry', 1000), 0.7, {
        of: 'time',
      }),
    ],
    waitedShare: rounds.waitedShare,
    remarks: rounds.failures,
  };
}
