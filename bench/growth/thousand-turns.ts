import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { LifeStage } from './life-of-a-session.ts';

/** L. Cost of a session of a thousand turns: time per turn, time to open, disk. */
export async function measureThousandTurns(plan: Plan): Promise<Section> {
  const rounds = await runRounds(roundsOf(plan, 3), new Map([['life', () => runChild('life-of-a-session', {})]]));
  const lives = rounds.of('life');
  const at = (turns: number, of: (stage: LifeStage) => number) =>
    medianOf(lives.flatMap(({ stages }) => stages.filter((stage) => stage.turns === turns).map(of)));
  const row = (turns: number) => [
    `turn ${turns.toLocaleString('en-US')}`,
    at(turns, ({ turnMs }) => turnMs),
    at(turns, ({ openMs }) => openMs),
    at(turns, ({ bytes }) => bytes / 1024),
    at(turns, ({ bytes }) => bytes) / turns,
  ];
  return {
    title: 'L. A thousand turns',
    work:
      'One session in SQLite takes 1,000 turns of two model calls and a tool call. Measured at 10, 100 and 1,000 ' +
      "turns: the median of the last ten turns, closing the store and opening it again up to the session's state, the " +
      'size of its journal and snapshot. At the end the session is exported and replayed, and every step must give ' +
      'the same result.',
    tables: [
      {
        title: 'A session as it grows',
        head: ['', 'turn, ms', 'open, ms', 'disk, kB', 'bytes per turn'],
        rows: [10, 100, 1000].map(row),
      },
      {
        title: 'The whole session, ms',
        head: ['', 'ms'],
        rows: [
          ['export as a bundle', medianOf(lives.map(({ exportMs }) => exportMs))],
          ['replay, every step decided again', medianOf(lives.map(({ replayMs }) => replayMs))],
        ],
      },
    ],
    figures: [
      atMost(
        'growth of a turn from turn 10 to turn 1,000',
        at(1000, ({ turnMs }) => turnMs) / at(10, ({ turnMs }) => turnMs),
        1.2,
        { of: 'time' },
      ),
      atMost(
        'growth of the bytes per turn',
        at(1000, ({ bytes }) => bytes / 1000) / at(100, ({ bytes }) => bytes / 100),
        1.1,
        { of: 'amount' },
      ),
    ],
    waitedShare: rounds.waitedShare,
    remarks: rounds.failures,
  };
}
