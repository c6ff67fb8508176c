// `npm run soak [-- --minutes N] [--seed N] [--write]`: runs the soak test for longer (default 10 minutes). Prints
// its figures as it runs; the exit code is 1 if one isn't flat or a transcript differs from the journal. `--write`
// writes docs/soak.md and docs/images/soak.svg. `--seed` repeats a run's choices.

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { measureNames, measures, soak } from '../test/soak/soak.ts';
import { figureText, soakReport } from './soak-report.ts';
import { soakPlot } from './soak-plot.ts';
import { scriptOptions, wrongOption } from './script-options.ts';

const usage = `npm run soak -- [--minutes N] [--seed N] [--write]

Runs the soak test for longer and prints its figures. Exits with 1 if one isn't flat or a transcript differs.

  --minutes N  duration (default: 10)
  --seed N     repeat the choices of an earlier run (default: from the clock)
  --write      write docs/soak.md and docs/images/soak.svg`;
const values = scriptOptions(usage, {
  minutes: { type: 'string', default: '10' },
  seed: { type: 'string' },
  write: { type: 'boolean', default: false },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes > 0)) wrongOption(`--minutes takes a number above 0, not "${values.minutes}".`, usage);
if (!Number.isSafeInteger(seed)) wrongOption(`--seed takes a whole number, not "${values.seed}".`, usage);

console.log(`Soaking for ${minutes} minutes with seed ${seed} …`);
const widths = measureNames.map((measure) => Math.max(measures[measure].name.length, 8));
const row = (first: string, cells: readonly string[]) =>
  console.log(`${first.padStart(7)}  ${cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ')}`);
row(
  's',
  measureNames.map((measure) => measures[measure].name),
);
let printedAt = 0;
const result = await soak({
  seconds: minutes * 60,
  seed,
  onSample(sample) {
    if (sample.seconds - printedAt < minutes * 2) return;
    printedAt = sample.seconds;
    row(
      sample.seconds.toFixed(0),
      measureNames.map((measure) => figureText(measure, sample[measure])),
    );
  },
});
const root = path.resolve(import.meta.dirname, '..');
const report = soakReport(result);
console.log(`\n${report}`);
if (values.write) {
  writeFileSync(path.join(root, 'docs/soak.md'), report);
  writeFileSync(path.join(root, 'docs/images/soak.svg'), soakPlot(result));
}
process.exitCode = result.problems.length === 0 ? 0 : 1;
