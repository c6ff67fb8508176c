import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import type { Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { JobRunner } from './job-load.ts';

const titles: Readonly<Record<JobRunner, string>> = {
  pool: 'floor: a pool of promises',
  'rondo-memory': 'Rondo, in memory',
  'rondo-sqlite': 'Rondo, SQLite',
};
const runners = Object.keys(titles) as readonly JobRunner[];

/** J. Cost of a job beyond its work. The design sets no goal here; figures are only reported. */
export async function measureOverheadOfAJob(plan: Plan): Promise<Section> {
  const jobs = plan.isQuick ? 300 : 1000;
  const results = await runRounds(
    roundsOf(plan, 3),
    new Map(runners.map((runner) => [runner, () => runChild('job-load', { runner, jobs }, { nodeFlags })])),
  );
  const median = (runner: JobRunner, of: 'jobMs' | 'cpuMs' | 'heapKb') =>
    medianOf(results.of(runner).map((one) => one[of]));
  return {
    title: 'J. Overhead of a job',
    work:
      `${jobs} jobs of 100 workers, at most 50 at once. Each calls a model once, which answers after 1 ms. Checked: ` +
      'every job completed, never more than 50 at once.',
    tables: [
      {
        title: `${jobs} jobs`,
        head: ['', 'ms per job', '× floor', 'CPU ms per job', 'heap kB left per job'],
        rows: runners.map((runner) => [
          titles[runner],
          median(runner, 'jobMs'),
          median(runner, 'jobMs') / median('pool', 'jobMs'),
          median(runner, 'cpuMs'),
          median(runner, 'heapKb'),
        ]),
      },
    ],
    figures: [],
    waitedShare: results.waitedShare,
    remarks: results.failures,
  };
}

const nodeFlags = ['--expose-gc'];
