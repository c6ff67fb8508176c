import path from 'node:path';

import { build } from 'esbuild';

import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';

const entry = path.join(import.meta.dirname, 'turn-from-prompt-child.ts');

/** I. From a prompt to a configured turn, with the shipped rules. */
export async function measureUnderstandingAPrompt(plan: Plan): Promise<Section> {
  const [sources, built] = ['Rondo, from its sources', 'Rondo, as it is published'];
  using folder = createScratchFolder();
  const bundled = await bundle(folder.path);
  const measured = (file: string) => () =>
    runChild('understanding', { rounds: plan.isQuick ? 2 : 10, entry: file });
  const results = await runRounds(
    roundsOf(plan, 5),
    new Map([
      [sources, measured(entry)],
      [built, measured(bundled)],
    ]),
  );
  const median = (title: string, of: 'firstMs' | 'createMs' | 'medianMs') =>
    medianOf(results.of(title).map((one) => one[of]));
  const row = (title: string) => [
    title,
    median(title, 'medianMs'),
    median(title, 'createMs'),
    median(title, 'firstMs'),
  ];
  return {
    title: 'I. Understanding a prompt',
    work:
      'Every sentence of the corpus is understood, routed and compiled into a turn with the shipped rules. First use ' +
      'is the CPU time of the whole process from requesting the first turn to receiving it. Loading is measured ' +
      'separately, because when running from sources it is mostly Node stripping types. Checked: the turn has its ' +
      'text.',
    tables: [
      {
        title: 'A prompt',
        head: ['', 'median ms', 'first use, CPU ms', 'with loading, CPU ms'],
        rows: [row(sources), row(built)],
      },
    ],
    figures: [
      atMost('understand, route and compile a prompt: median', median(sources, 'medianMs'), 1, {
        of: 'time',
        unit: 'ms',
      }),
      atMost('the same, first use in a process, without loading', median(sources, 'createMs'), 30, {
        of: 'time',
        unit: 'ms',
      }),
      atMost('the same, published package', median(built, 'createMs'), 30, { of: 'time', unit: 'ms' }),
    ],
    waitedShare: results.waitedShare,
    remarks: results.failures,
  };
}

/** As scripts/build.ts bundles the library. */
async function bundle(folder: string): Promise<string> {
  await build({
    entryPoints: [entry],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
  });
  return path.join(folder, 'turn-from-prompt-child.js');
}
