// `npm run mutate [-- --count N] [--seed N] [--only folder] [--minutes N] [--named] [--write]`: puts small faults
// into the code that decides who owns a session and what is durable, one at a time, and counts how many of
// them the unit tests notice. `--write` keeps the report as docs/mutation.md.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { mutantRuns } from './mutant-runs.ts';
import { testsFor, watchedTests, type TestFile } from './mutant-tests.ts';
import { writeMutantTree, type Numbered } from './mutant-tree.ts';
import { mutantsOf } from './mutants.ts';
import { loadProgress, saveProgress } from './mutation-progress.ts';
import { mutationReport, type Tried } from './mutation-report.ts';
import { namedMutants } from './named-mutants.ts';
import { scriptOptions, wrongOption } from './script-options.ts';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['kernel', 'session', 'journal', 'runtime'];
const usage = `npm run mutate -- [--count N] [--seed N] [--only folder] [--minutes N] [--named] [--write]

Puts small faults into src/{${folders.join(',')}}, one at a time, and counts how many the unit tests notice.
Exit code 1 where a named mutant survives.

  --count N      how many mutants (default: 1000)
  --seed N       which ones: the same seed picks the same mutants of the same sources (default: 1)
  --only folder  only mutants of src/<folder>
  --minutes N    stops after this time; the same command goes on from there, and tries
                 survivors again where their tests have changed
  --named        only the mutants that an earlier release let pass (scripts/named-mutants.ts)
  --write        keeps the report as docs/mutation.md`;
const values = scriptOptions(usage, {
  count: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  minutes: { type: 'string' },
  named: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
});
const [count, seed, minutes] = [Number(values.count), Number(values.seed), Number(values.minutes ?? Infinity)];
if (!(count > 0)) wrongOption(`--count takes a number above 0, not "${values.count}".`, usage);
if (!Number.isInteger(seed)) wrongOption(`--seed takes a whole number, not "${values.seed}".`, usage);
if (!(minutes > 0)) wrongOption(`--minutes takes a number above 0, not "${values.minutes}".`, usage);
if (values.only !== undefined && !folders.includes(values.only)) {
  wrongOption(`--only takes one of ${folders.join(', ')}, not "${values.only}".`, usage);
}

/** Every how many mutants the tests run without one: they must pass, or the kills around them mean nothing. */
const controlEvery = 50;

const everyMutant = folders
  .filter((folder) => values.only === undefined || values.only === folder)
  .flatMap((folder) => globSync(`src/${folder}/**/*.ts`, { cwd: root }).toSorted())
  .filter((file) => !/\.(test|generated)\.ts$/.test(file))
  .flatMap((file) => mutantsOf(file, readFileSync(path.join(root, file), 'utf8')));
const named = namedMutants(root);
const sample = values.named ? [] : shuffled(everyMutant, seed).slice(0, count);
const mutants: Numbered[] = [...named, ...sample].map((mutant, number) => ({ ...mutant, number }));

const tree = path.join(root, '.cache/mutate/tree');
mkdirSync(path.dirname(tree), { recursive: true });
writeMutantTree(root, tree, mutants);
const runs = mutantRuns(tree);
const started = performance.now();
const overdue = () => performance.now() - started > minutes * 60_000;
const progressFile = path.join(root, '.cache/mutate/progress.json');
const progress = loadProgress(progressFile, mutants);
const { results, controls } = progress;
const before = progress.ms;
try {
  console.log(
    `${everyMutant.length} mutants are possible, ${mutants.length} are picked, ${results.size} were tried.`,
  );
  const tests = await watchedTests(tree, runs, progress.tests);
  for (const mutant of mutants) {
    if (overdue()) break;
    const files = testsFor(mutant, tests);
    if (isSettled(results.get(mutant.number), files)) continue;
    if (mutant.number % controlEvery === controlEvery - 1) await control(files);
    const result = await outcome(mutant, files);
    results.set(mutant.number, result);
    if (isAlive(result))
      console.log(`${mutant.number} ${result.type} ${mutant.file}:${mutant.line} ${mutant.kind}`);
    progress.ms = before + performance.now() - started;
    saveProgress(progressFile, mutants, progress);
  }
} finally {
  runs.close();
}

const tried = mutants.flatMap((mutant): Tried[] => {
  const result = results.get(mutant.number);
  return result === undefined ? [] : [{ ...mutant, result }];
});
const report = mutationReport({
  seed,
  possible: everyMutant.length,
  named: named.length,
  picked: sample.length,
  tried,
  controls,
  minutes: Math.round(progress.ms / 60_000),
  source: (file) => readFileSync(path.join(root, file), 'utf8'),
});
console.log(report);
if (values.write) writeFileSync(path.join(root, 'docs/mutation.md'), report);
process.exitCode = tried.slice(0, named.length).some(({ result }) => isAlive(result)) ? 1 : 0;

function isAlive(result: Tried['result'] | undefined): boolean {
  return result?.type === 'survived' || result?.type === 'unreached';
}

/** Killed, or alive after the very tests that it would meet now. */
function isSettled(result: Tried['result'] | undefined, files: readonly TestFile[]): boolean {
  if (result === undefined || result.type === 'unreached') return false;
  return result.type !== 'survived' || result.tests.join() === files.map(({ hash }) => hash).join();
}

async function outcome(mutant: Numbered, files: readonly TestFile[]): Promise<Tried['result']> {
  if (files.length === 0) return { type: 'unreached' };
  const asked = { mutant: mutant.number, files: files.map(({ file }) => file) };
  const result = await runs.run(asked, limitFor(files));
  switch (result.type) {
    case 'passed':
      return { type: 'survived', tests: files.map(({ hash }) => hash) };
    case 'failed':
      return { type: 'killed', by: result.by };
    case 'hung':
      return { type: 'hung' };
  }
}

async function control(files: readonly TestFile[]): Promise<void> {
  if (files.length === 0) return;
  const result = await runs.run({ mutant: -1, files: files.map(({ file }) => file) }, limitFor(files));
  controls[result.type === 'passed' ? 'passed' : 'failed'] += 1;
}

/** Far more than the tests need without a mutant. */
function limitFor(files: readonly TestFile[]): number {
  return 6000 + 3 * files.reduce((sum, { ms }) => sum + ms, 0);
}

/** Always the same order for a seed (Fisher–Yates over mulberry32). */
function shuffled<Item>(items: readonly Item[], from: number): readonly Item[] {
  let state = from;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as Item, result[last] as Item];
  }
  return result;
}
