import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';

const events = 100_000;

/** K. Whether a step costs more in a longer session. */
export async function measureGrowthOfAStep(plan: Plan): Promise<Section> {
  const rounds = await runRounds(
    roundsOf(plan, 3),
    new Map([
      ['kernel', () => runChild('kernel-growth', { events })],
      ['session', () => runChild('session-growth', { events })],
    ]),
  );
  const short = (name: 'kernel' | 'session') => medianOf(rounds.of(name).map((one) => one.shortUs));
  const long = (name: 'kernel' | 'session') => medianOf(rounds.of(name).map((one) => one.longUs));
  const row = (title: string, name: 'kernel' | 'session') => [
    title,
    short(name),
    long(name),
    long(name) / short(name),
  ];
  return {
    title: 'K. Growth of a step',
    work:
      `Standard turns of 4 steps and 9 events bring a session in memory to ${events.toLocaleString('en-US')} events. Then this session and a ` +
      'new one take 200 turns each, alternating. The table shows the median step of both.',
    tables: [
      {
        title: 'Microseconds per step',
        head: ['', 'new session', `at ${events.toLocaleString('en-US')} events`, 'growth'],
        rows: [
          row('`step` of the kernel', 'kernel'),
          row('a whole session: journal, context and a follower', 'session'),
        ],
      },
    ],
    figures: [
      atMost('growth of a kernel step over 100,000 events', long('kernel') / short('kernel'), 1.1, { of: 'time' }),
      atMost('growth of a session step over 100,000 events', long('session') / short('session'), 1.1, {
        of: 'time',
      }),
    ],
    waitedShare: rounds.waitedShare,
    remarks: rounds.failures,
  };
}
