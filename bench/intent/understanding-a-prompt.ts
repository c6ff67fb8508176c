import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';

/** I. From a prompt to a configured turn, with the shipped rules. */
export async function measureUnderstandingAPrompt(plan: Plan): Promise<Section> {
  const title = 'Rondo, from its sources';
  const results = await runRounds(
    roundsOf(plan, 5),
    new Map([[title, () => runChild('understanding', { rounds: plan.isQuick ? 2 : 10 })]]),
  );
  const median = (of: 'firstMs' | 'createMs' | 'medianMs') => medianOf(results.of(title).map((one) => one[of]));
  return {
    title: 'I. Understanding a prompt',
    work:
      'Every sentence of the corpus is understood, routed and compiled into a turn with the shipped rules. The first time is CPU ' +
      'time with loading and reading the rules included, of sources whose types Node strips as it loads them. Checked: the turn has its text.',
    tables: [
      {
        title: 'A prompt',
        head: ['', 'median ms', 'first use, rules read, CPU ms', 'with loading, CPU ms'],
        rows: [[title, median('medianMs'), median('createMs'), median('firstMs')]],
      },
    ],
    figures: [
      atMost('understand, route and compile a prompt: median', median('medianMs'), 1, { of: 'time', unit: 'ms' }),
      atMost('the same, first use in a process, without loading', median('createMs'), 30, {
        of: 'time',
        unit: 'ms',
      }),
    ],
    waitedShare: results.waitedShare,
    remarks: results.failures,
  };
}
