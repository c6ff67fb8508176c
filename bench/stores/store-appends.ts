/** Appends through the journal's port on each engine, beside appends by hand with the same guarantees and batching. */
import type { Appends } from '../appends/append-load.ts';
import type { Waited } from '../harness/contention.ts';
import type { Table } from '../harness/markdown.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild, type ChildFailure } from '../harness/run-child.ts';
import { atLeast, atMost, type Figure } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import { engineNames, type Engine, type Engines } from './engines.ts';

const written = {
  floor: 'floor, by hand, events only',
  'floor-entry': 'floor, by hand, with the directory entry',
  events: 'Rondo, events only',
  entry: 'Rondo, with the directory entry',
} as const;
type Written = keyof typeof written;
const sizes = [1, 1000] as const;
type Size = (typeof sizes)[number];

interface MeasuredAppends {
  readonly table: Table;
  readonly figures: readonly Figure[];
  readonly waitedShare: number;
  readonly failures: readonly string[];
}

export async function measureStoreAppends(
  engines: Engines,
  { rounds, runMs }: { readonly rounds: number; readonly runMs: number },
): Promise<MeasuredAppends> {
  const kinds = (engine: Engine) =>
    (Object.keys(written) as Written[]).filter((one) => engine !== 'sqlite' || one !== 'floor-entry');

  function append(engine: Engine, one: Written, size: Size): Promise<(Appends & Waited) | ChildFailure> {
    const isFloor = one === 'floor' || one === 'floor-entry';
    const withEntry = one === 'entry' || one === 'floor-entry';
    const server = engine === 'sqlite' ? undefined : engines[engine];
    if (server === undefined) {
      return isFloor
        ? runChild('floor-appends', { inGroup: size, runMs })
        : runChild('port-appends', { inFlight: size, runMs, withEntry });
    }
    const load = { runMs, withEntry, serverPid: server.pid };
    if (!isFloor) return runChild('port-appends', { ...load, inFlight: size, address: server.newStore() });
    const floor = engine === 'nats' ? 'nats-floor' : 'postgres-floor';
    return runChild(floor, { ...load, inGroup: size, address: server.address });
  }

  const jobs = new Map(
    engines.all.flatMap((engine) =>
      kinds(engine).flatMap((one) =>
        sizes.map((size) => [`${engine} ${one} ${size}`, () => append(engine, one, size)] as const),
      ),
    ),
  );
  const done = await runRounds(rounds, jobs);

  const of = (engine: Engine, one: Written, size: Size, read: (appends: Appends) => number) =>
    medianOf(done.of(`${engine} ${one} ${size}`).map(read));
  const rate = (engine: Engine, one: Written, size: Size) => of(engine, one, size, ({ perSecond }) => perSecond);
  const cpu = (engine: Engine, one: Written, size: Size) =>
    of(engine, one, size, ({ cpuUs, serverUs }) => cpuUs + (serverUs ?? 0));
  const floorOf = (engine: Engine, one: Written): Written =>
    engine !== 'sqlite' && (one === 'entry' || one === 'floor-entry') ? 'floor-entry' : 'floor';
  const share = (engine: Engine, one: Written, size: Size) =>
    rate(engine, one, size) / rate(engine, floorOf(engine, one), size);
  const cpuShare = (engine: Engine, one: Written, size: Size) =>
    cpu(engine, one, size) / cpu(engine, floorOf(engine, one), size);

  return {
    table: {
      title: 'Events per second, and processor time of the process and the server for each, µs',
      head: ['', '', 'alone', '× floor', 'CPU µs', '× floor', '1,000 at once', '× floor', 'CPU µs', '× floor'],
      rows: engines.all.flatMap((engine) =>
        kinds(engine).map((one) => [
          engineNames[engine],
          written[one],
          ...sizes.flatMap((size) => [
            rate(engine, one, size),
            share(engine, one, size),
            cpu(engine, one, size),
            cpuShare(engine, one, size),
          ]),
        ]),
      ),
    },
    figures: engines.all
      .filter((engine) => engine !== 'sqlite')
      .flatMap((engine) => {
        const name = engineNames[engine];
        return [
          atLeast(`${name}, appends alone, × floor`, share(engine, 'events', 1), 0.7, { of: 'time' }),
          atLeast(`${name}, appends from 1,000 sessions, × floor`, share(engine, 'events', 1000), 0.7, {
            of: 'time',
          }),
          atLeast(`${name}, the same with directory entries, × floor`, share(engine, 'entry', 1000), 0.7, {
            of: 'time',
          }),
          // The same goal as a share of processor time, which is meaningful on a busy machine.
          atMost(`${name}, their processor time, × floor`, cpuShare(engine, 'entry', 1000), 1.43, {
            of: 'amount',
          }),
        ];
      }),
    waitedShare: done.waitedShare,
    failures: done.failures,
  };
}
