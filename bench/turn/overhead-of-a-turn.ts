import { roundsOf, type Plan } from '../harness/plan.ts';
import type { Plot } from '../harness/plot.ts';
import { runRounds } from '../harness/rounds.ts';
import { isFailure, runChild } from '../harness/run-child.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import { isTurnPeer, preparePeers, turnPeers, type TurnPeerName } from '../peers/turn-peers.ts';
import { titleOf, type RuntimeName } from '../workload/runtimes.ts';
import { allocationFlags } from './allocation.ts';
import { canTrace, countFsyncs } from './count-fsyncs.ts';
import type { LongSession } from './long-session.ts';

const ownInMemory: readonly RuntimeName[] = ['floor-memory', 'rondo-memory', 'rondo-memory-unfollowed'];
const ownDurable: readonly RuntimeName[] = ['floor-step', 'rondo-sqlite', 'rondo-sqlite-unfollowed'];
const peerNames = (Object.keys(turnPeers) as readonly TurnPeerName[]).filter(
  (name) => turnPeers[name].keeps !== 'server',
);
const turns = 200;
/** Turns whose times are plotted. */
const plotted = Array.from({ length: 20 }, (_, index) => 10 * index + 7).filter((turn) => turn <= turns - 6);

/** A. Cost of a turn if the model and the tool cost nothing. */
export async function measureOverheadOfATurn(plan: Plan): Promise<Section> {
  const rounds = roundsOf(plan, 4);
  const warmMs = plan.isQuick ? 300 : 1000;
  const runMs = plan.isQuick ? 400 : 1500;
  const peers = plan.withPeers ? await preparePeers(peerNames) : { ready: [], remarks: [] };
  const inMemory = [...ownInMemory, ...peers.ready.filter((name) => turnPeers[name].keeps === 'nothing')];
  const durable = [...ownDurable, ...peers.ready.filter((name) => turnPeers[name].keeps === 'durable')];
  const all = [...inMemory, ...durable];
  const jobs = <Result>(run: (runtime: RuntimeName) => Result, names: readonly RuntimeName[] = all) =>
    new Map(names.map((name) => [name, () => run(name)]));

  const single = await runRounds(
    rounds,
    jobs((runtime) => runChild('single-turns', { runtime, warmMs, runMs })),
  );
  const long = await runRounds(
    rounds,
    // A peer's turn takes milliseconds: it warms up sooner, and three sessions of it would take a minute.
    jobs((runtime) =>
      runChild(
        'long-session',
        { runtime, warmMs, turns, warmSessions: isTurnPeer(runtime) ? 1 : 3 },
        { timeoutMs: 600_000 },
      ),
    ),
  );
  const allocation = await runRounds(
    Math.min(rounds, 2),
    jobs(
      (runtime) => runChild('allocation', { runtime }, { nodeFlags: allocationFlags }),
      plan.isQuick ? all.filter((name) => !isTurnPeer(name)) : all,
    ),
  );
  const fsyncs = await countAll();

  const p50 = (name: RuntimeName) => medianOf(single.of(name).map((one) => one.p50));
  const allocated = (name: RuntimeName) => medianOf(allocation.of(name).map((one) => one.bytes)) / 1024;
  const disk = (name: RuntimeName) => medianOf(long.of(name).map((one) => one.diskBytes)) / 2 ** 20;
  const perTurn = (name: RuntimeName) =>
    medianOf(long.of(name).map(({ diskBytes, emptyBytes }) => (diskBytes - emptyBytes) / turns)) / 1024;
  const growth = (name: RuntimeName) => around(long.of(name), 194) / around(long.of(name), 10);

  const table = (title: string, names: readonly RuntimeName[]) => ({
    title,
    head: [
      '',
      'p50 ms',
      'p99 ms',
      '× floor',
      'CPU ms',
      'allocated kB',
      'turn 10 ms',
      'turn 200 ms',
      'growth 200/10',
    ],
    rows: names.map((name) => [
      titleOf(name),
      p50(name),
      medianOf(single.of(name).map((one) => one.p99)),
      p50(name) / p50(names[0] ?? name),
      medianOf(single.of(name).map((one) => one.cpuMs)),
      allocated(name),
      around(long.of(name), 10),
      around(long.of(name), 194),
      growth(name),
    ]),
  });

  const curvesOf = (name: string, kind: string, names: readonly RuntimeName[]): Plot => ({
    name,
    title: `A turn as the conversation grows, ${kind}`,
    x: { label: 'turn of one conversation', scale: 'linear' },
    y: { label: 'ms', scale: 'logarithmic' },
    curves: names.map((runtime) => ({
      title: titleOf(runtime),
      of: isTurnPeer(runtime) ? 'peer' : runtime.startsWith('floor') ? 'floor' : 'rondo',
      points: plotted.map((turn) => [turn, around(long.of(runtime), turn)] as const),
    })),
  });

  return {
    title: 'A. Overhead of a turn',
    work:
      'A new session takes one user message, a model call that requests a tool, the tool, and a model call that ' +
      'answers in 20 deltas. Each turn is checked: 2 model calls, 1 tool call, 20 deltas delivered to a follower, the ' +
      `final text. The right half is one session of ${turns} turns. Allocation counts the main thread only.`,
    tables: [
      table('In memory', inMemory),
      table('Durable', durable),
      {
        title: `On disk after ${turns} turns of one session`,
        head: ['', 'closed store MB', '× floor', 'kB a turn', '× floor', 'fsyncs a turn'],
        rows: durable
          .filter((name) => name !== 'rondo-sqlite-unfollowed')
          .map((name) => [
            titleOf(name),
            disk(name),
            disk(name) / disk('floor-step'),
            perTurn(name),
            perTurn(name) / perTurn('floor-step'),
            fsyncs.counts.get(name) ?? (isTurnPeer(name) ? 'not counted' : 'skipped'),
          ]),
      },
    ],
    plots: [curvesOf('turn-in-memory', 'in memory', inMemory), curvesOf('turn-durable', 'durable', durable)],
    figures: [
      atMost('turn in memory, × floor', p50('rondo-memory') / p50('floor-memory'), 10, { of: 'time' }),
      atMost('turn durable, × durable floor', p50('rondo-sqlite') / p50('floor-step'), 1.5, { of: 'time' }),
      atMost('growth turn 200 / turn 10, in memory', growth('rondo-memory'), 1.1, { of: 'time' }),
      atMost('growth turn 200 / turn 10, durable', growth('rondo-sqlite'), 1.1, { of: 'time' }),
      atMost(`disk after ${turns} turns, × floor`, disk('rondo-sqlite') / disk('floor-step'), 2, { of: 'amount' }),
      atMost('allocation of a turn, in memory', allocated('rondo-memory'), 150, { of: 'amount', unit: 'kB' }),
      atMost('allocation of a turn, durable', allocated('rondo-sqlite'), 150, { of: 'amount', unit: 'kB' }),
    ],
    waitedShare: Math.max(single.waitedShare, long.waitedShare),
    remarks: [...peers.remarks, ...single.failures, ...long.failures, ...allocation.failures, ...fsyncs.remarks],
  };
}

/** The median of the 13 turns around the k-th, over all rounds: a single turn is too short to compare. */
function around(sessions: readonly LongSession[], turn: number): number {
  return medianOf(sessions.flatMap(({ times }) => times.slice(turn - 7, turn + 6)));
}

async function countAll(): Promise<{ counts: ReadonlyMap<RuntimeName, number>; remarks: readonly string[] }> {
  const counts = new Map<RuntimeName, number>();
  if (!canTrace()) return { counts, remarks: ['fsyncs were not counted: strace is not there or may not trace'] };
  const remarks: string[] = [];
  for (const name of ['floor-step', 'rondo-sqlite'] as const) {
    const counted = await countFsyncs(name);
    if (isFailure(counted)) remarks.push(`${name}: ${counted.failure}`);
    else counts.set(name, counted.perTurn);
  }
  return { counts, remarks };
}
