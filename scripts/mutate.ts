// `npm run mutate [-- --count N] [--seed N] [--only folder] [--minutes N] [--budget N] [--named] [--write]`: puts
// small faults into the code that decides session ownership and durability, one at a time, and counts how many of
// them the unit tests catch. `--write` writes docs/mutation.md.

import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { HostAnswer } from './mutant-host.ts';
import { mutantRuns } from './mutant-runs.ts';
import { startServers } from './mutant-servers.ts';
import { testsFor, watchedTests, type Reaching } from './mutant-tests.ts';
import { writeMutantTree } from './mutant-tree.ts';
import { refusedByCompiler } from './mutant-types.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import { loadProgress, saveProgress, saveTests } from './mutation-progress.ts';
import { mutationReport, type Tried } from './mutation-report.ts';
import { namedMutants } from './named-mutants.ts';
import { scriptOptions, wrongOption } from './script-options.ts';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['kernel', 'session', 'journal', 'runtime'];
const usage = `npm run mutate -- [--count N] [--seed N] [--only folder] [--minutes N] [--budget N] [--types] [--named] [--write]

Puts small faults into src/{${folders.join(',')}}, one at a time, and counts how many the unit tests notice.
Exit code 1 where a named mutant survives.

  --count N      how many mutants (default: 1000)
  --seed N       which ones: the same seed picks the same mutants of the same sources (default: 1)
  --only folder  only mutants of src/<folder>
  --minutes N    stops after this time; the same command continues from there, and tries
                 survivors again where their tests have changed
  --budget N     seconds of tests that a survivor may cost (default: 20); a larger one later runs the rest
  --types        runs no tests; asks the compiler about the survivors so far
  --named        only the mutants that an earlier release let pass (scripts/named-mutants.ts)
  --write        keeps the report as docs/mutation.md`;
const values = scriptOptions(usage, {
  count: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  minutes: { type: 'string' },
  budget: { type: 'string', default: '20' },
  types: { type: 'boolean', default: false },
  named: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
});
const [count, seed, minutes] = [Number(values.count), Number(values.seed), Number(values.minutes ?? Infinity)];
if (!(count > 0)) wrongOption(`--count takes a number above 0, not "${values.count}".`, usage);
if (!Number.isInteger(seed)) wrongOption(`--seed takes a whole number, not "${values.seed}".`, usage);
if (!(Number(values.budget) > 0)) wrongOption(`--budget takes a number above 0, not "${values.budget}".`, usage);
if (!(minutes > 0)) wrongOption(`--minutes takes a number above 0, not "${values.minutes}".`, usage);
if (values.only !== undefined && !folders.includes(values.only)) {
  wrongOption(`--only takes one of ${folders.join(', ')}, not "${values.only}".`, usage);
}

/** After this many mutants, the same tests run without one. If they don't pass, the kills around them are invalid. */
const controlEvery = 25;

/** A test that fails after this time may have waited for a busy machine. */
const slowMs = 3000;

const everyMutant = folders
  .filter((folder) => values.only === undefined || values.only === folder)
  .flatMap((folder) => globSync(`src/${folder}/**/*.ts`, { cwd: root }).toSorted())
  .filter((file) => !/\.(test|generated)\.ts$/.test(file))
  .flatMap((file) => mutantsOf(file, readFileSync(path.join(root, file), 'utf8')));
const named = namedMutants(root);
// The order depends on each mutant alone, so changing one source doesn't affect the choice in other files.
const rank = ({ id }: Mutant) => hashOf(`${seed} ${id}`);
const sample = values.named ? [] : everyMutant.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, count);
const mutants = [...named, ...sample];

const cache = path.join(root, '.cache/mutate');
const tree = path.join(cache, 'tree');
mkdirSync(cache, { recursive: true });
if (!values.types) writeMutantTree(root, tree, mutants);
const runs = mutantRuns(tree);
const endServers = values.types ? () => undefined : await startServers();
const started = performance.now();
const overdue = () => performance.now() - started > minutes * 60_000;
const progress = loadProgress(cache);
const { results, controls } = progress;
const earlier = progress.ms;
const sources = new Map<string, string>();
try {
  console.log(`${everyMutant.length} mutants are possible, ${mutants.length} are picked.`);
  const tests = values.types
    ? []
    : await watchedTests(tree, runs, progress.tests, (known) => saveTests(cache, known));
  let untilControl = controlEvery;
  // Survivors of earlier runs come last.
  const isNew = Map.groupBy(mutants, (mutant) => valid(mutant) === undefined);
  for (const mutant of [...(isNew.get(true) ?? []), ...(isNew.get(false) ?? [])]) {
    if (overdue() || values.types) break;
    const before = valid(mutant);
    const files = testsFor(mutant, tests, {
      budgetMs: Number(values.budget) * 1000,
      killsIn: (test) => killsIn(test, mutant.file),
    });
    const unmet = before?.type === 'survived' ? files.filter(({ hash }) => !before.tests.includes(hash)) : files;
    if (before !== undefined && (!isAlive(before) || unmet.length === 0)) continue;
    untilControl -= 1;
    if (untilControl === 0) await control(unmet);
    if (untilControl === 0) untilControl = controlEvery;
    const began = performance.now();
    const result = await outcome(mutant, unmet, files);
    const compiles = before !== undefined && 'compiles' in before;
    results.set(mutant.id, compiles && isAlive(result) ? { ...result, compiles: true } : result);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${seconds} s ${result.type} ${mutant.file}:${mutant.line} ${mutant.kind}`);
    progress.ms = earlier + performance.now() - started;
    saveProgress(cache, progress);
  }
} finally {
  runs.close();
  endServers();
}
const alive = mutants.flatMap((mutant) => {
  const result = valid(mutant);
  return isAlive(result) && !('compiles' in result) ? [{ mutant, result }] : [];
});
const refused = refusedByCompiler(
  root,
  path.join(cache, 'types'),
  alive.map(({ mutant }) => mutant),
);
for (const { mutant, result } of alive) {
  const { id, file } = mutant;
  results.set(id, refused.has(id) ? { type: 'refused', source: sourceHash(file) } : { ...result, compiles: true });
}
saveProgress(cache, progress);

const tried = mutants.flatMap((mutant): Tried[] => {
  const result = valid(mutant);
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

function isAlive(
  result: Tried['result'] | undefined,
): result is Extract<Tried['result'], { readonly type: 'survived' | 'unreached' }> {
  return result?.type === 'survived' || result?.type === 'unreached';
}

/** The earlier result, if the mutant's source is unchanged. */
function valid({ id, file }: Mutant): Tried['result'] | undefined {
  const result = results.get(id);
  return result?.type === 'unreached' || result?.source === sourceHash(file) ? result : undefined;
}

async function outcome(
  mutant: Mutant,
  unmet: readonly Reaching[],
  all: readonly Reaching[],
): Promise<Tried['result']> {
  if (all.length === 0) return { type: 'unreached' };
  const run = () => runs.run({ mutant: mutant.id, files: unmet }, limitFor(unmet));
  const source = sourceHash(mutant.file);
  const first = await run();
  const isDoubtful = first === 'hung' || (!first.passed && first.failedAfter > slowMs);
  const result = isDoubtful && !(await passesAlone(first, unmet)) ? await run() : first;
  if (result === 'hung') return { type: 'hung', source };
  if (result.passed) return { type: 'survived', tests: all.map(({ hash }) => hash), source };
  return { type: 'killed', by: result.by, in: result.in, source };
}

/** The failed test, or all if none ended, finishes in time without the mutant, so the machine isn't the cause. */
async function passesAlone(failed: HostAnswer | 'hung', all: readonly Reaching[]): Promise<boolean> {
  const files = failed === 'hung' || failed.in === '' ? all : [{ file: failed.in, names: [failed.by] }];
  const result = await runs.run({ mutant: '', files }, limitFor(all));
  return result !== 'hung' && result.passed;
}

async function control(files: readonly Reaching[]): Promise<void> {
  if (files.length === 0) return;
  const result = await runs.run({ mutant: '', files }, limitFor(files));
  controls[result !== 'hung' && result.passed ? 'passed' : 'failed'] += 1;
}

/** How many mutants of a source the tests of a file have killed. */
function killsIn(testFile: string, source: string): number {
  return mutants.filter(({ id, file }) => {
    const result = file === source ? results.get(id) : undefined;
    return result?.type === 'killed' && result.in === testFile;
  }).length;
}

/** Far more than the tests need without a mutant. */
function limitFor(files: readonly Reaching[]): number {
  return 20_000 + 4 * files.reduce((sum, { ms }) => sum + ms, 0);
}

function sourceHash(file: string): string {
  const hash = sources.get(file) ?? hashOf(readFileSync(path.join(root, file), 'utf8'));
  sources.set(file, hash);
  return hash;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
