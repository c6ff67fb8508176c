import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { atMost, type Figure, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import { isTurnPeer, preparePeers, turnPeers, type TurnPeerName } from '../peers/turn-peers.ts';
import { titleOf, type RuntimeName } from '../workload/runtimes.ts';

const ownNames: readonly RuntimeName[] = [
  'floor-memory',
  'rondo-memory-unfollowed',
  'floor-group',
  'rondo-sqlite-unfollowed',
  'rondo-sqlite',
];
const peerNames = Object.keys(turnPeers) as readonly TurnPeerName[];
/** With more, some run out of file handles, and others take minutes. */
const mostPeerSessions = 1000;
/** Only plotted. */
const fewSessions = 100;
const latencyMs = 1000;
const nodeFlags = ['--expose-gc', '--max-old-space-size=8192'];

type Key = `${RuntimeName} ${number}`;

/** C. Many sessions in one process, all waiting for a model. */
export async function measureManySessions(plan: Plan): Promise<Section> {
  const sizes = plan.isQuick ? [1000] : [1000, 10_000];
  const peers = plan.withPeers ? await preparePeers(peerNames) : { ready: [], remarks: [] };
  const names = [...ownNames.filter((name) => !plan.isQuick || name !== 'rondo-sqlite'), ...peers.ready];
  const rounds = roundsOf(plan, 2);
  const namesAt = (size: number) => names.filter((name) => !isTurnPeer(name) || size <= mostPeerSessions);
  const jobs = <Result>(
    run: (runtime: RuntimeName, sessions: number) => Result,
    among: readonly number[] = sizes,
  ) =>
    new Map(
      among.flatMap((size) =>
        namesAt(size).map((name): [Key, () => Result] => [`${name} ${size}`, () => run(name, size)]),
      ),
    );
  const waiting = await runRounds(
    rounds,
    jobs((runtime, sessions) => runChild('waiting-sessions', { runtime, sessions }, { nodeFlags })),
  );
  const done = await runRounds(
    rounds,
    jobs(
      (runtime, sessions) => runChild('many-turns', { runtime, sessions, latencyMs }, { nodeFlags }),
      [fewSessions, ...sizes],
    ),
  );

  const heap = (name: RuntimeName, size: number) =>
    medianOf(waiting.of(`${name} ${size}`).map((one) => one.heapKb));
  const doneMs = (name: RuntimeName, size: number) =>
    medianOf(done.of(`${name} ${size}`).map((one) => one.doneMs));
  const figures = (size: number): readonly Figure[] => {
    const label = `${size.toLocaleString('en-US')} durable sessions`;
    const floor = doneMs('floor-group', size);
    return [
      atMost(`${label}: heap each`, heap('rondo-sqlite-unfollowed', size), 12, { of: 'amount', unit: 'kB' }),
      atMost(`${label}: done in, × group-commit floor`, doneMs('rondo-sqlite-unfollowed', size) / floor, 1.3, {
        of: 'time',
      }),
    ];
  };

  return {
    title: 'C. Many sessions in one process',
    work:
      'All sessions start the standard turn at once. Memory is measured while every session waits for its first model ' +
      'call, which never returns. Time: both model calls take 1 s, so 2.0 s is ideal. Checked: model calls, tool ' +
      'calls and the final text of each session. Without a follower, the benchmark awaits the reply; `Rondo, SQLite` ' +
      'also follows each session.' +
      (plan.withPeers
        ? ` Other runtimes run with up to ${mostPeerSessions.toLocaleString('en-US')} sessions.`
        : ''),
    tables: sizes.map((size) => ({
      title: `${size.toLocaleString('en-US')} sessions`,
      head: [
        '',
        'heap kB each',
        'RSS kB each',
        'done in s',
        '× its floor',
        'p99 s',
        'CPU ms a turn',
        'peak RSS MB',
      ],
      rows: namesAt(size).map((name) => {
        const floor = isDurable(name) ? 'floor-group' : 'floor-memory';
        const results = done.of(`${name} ${size}`);
        return [
          titleOf(name),
          heap(name, size),
          medianOf(waiting.of(`${name} ${size}`).map((one) => one.rssKb)),
          doneMs(name, size) / 1000,
          doneMs(name, size) / doneMs(floor, size),
          medianOf(results.map((one) => one.slowestMs)) / 1000,
          medianOf(results.map((one) => one.cpuMs)),
          medianOf(results.map((one) => one.peakRssMb)),
        ];
      }),
    })),
    plots: [
      {
        name: 'many-sessions',
        title: 'Sessions that start a turn at once: all done after (2 s is ideal)',
        x: { label: 'sessions in one process', scale: 'logarithmic' },
        y: { label: 's', scale: 'logarithmic' },
        curves: names.map((name) => ({
          title: titleOf(name),
          of: isTurnPeer(name) ? 'peer' : name.startsWith('floor') ? 'floor' : 'rondo',
          points: [fewSessions, ...sizes].map((size) => [size, doneMs(name, size) / 1000] as const),
        })),
      },
    ],
    figures: sizes.flatMap(figures),
    waitedShare: done.waitedShare,
    remarks: [...peers.remarks, ...waiting.failures, ...done.failures],
  };
}

function isDurable(name: RuntimeName): boolean {
  return isTurnPeer(name) ? turnPeers[name].keeps === 'durable' : !name.includes('memory');
}
