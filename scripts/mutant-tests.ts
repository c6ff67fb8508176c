/** Which unit tests can catch a mutant: those that run its code, measured once per version of a test file. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import type { MutantRuns } from './mutant-runs.ts';
import type { Mutant } from './mutants.ts';

export interface TestFile {
  readonly file: string;
  /** Hash of its text and the text of everything it imports. */
  readonly hash: string;
  readonly tests: readonly { readonly name: string; readonly ms: number; readonly reaches: ReadonlySet<string> }[];
}

export interface Reaching {
  readonly file: string;
  readonly hash: string;
  readonly names: readonly string[];
  readonly ms: number;
}

/** Tests that run the kernel, sessions or stores. */
const watched = [
  'src/{kernel,session,journal,runtime,testing,workers,upkeep,host,assembly}/**/*.test.ts',
  'src/{acp,agents,cli,processes,protocol,server,terminal,views}/**/*.test.ts',
  'test/golden/*.test.ts',
  'test/architecture/schemas.test.ts',
];

/** Starting vitest's worker and importing one test file. */
const startMs = 150;

export async function watchedTests(
  tree: string,
  runs: MutantRuns,
  known: Map<string, TestFile>,
  keep: (known: Map<string, TestFile>) => void,
): Promise<readonly TestFile[]> {
  const seen = path.join(tree, 'seen.txt');
  const files = globSync(watched, { cwd: tree }).toSorted();
  const found: TestFile[] = [];
  for (const file of files) {
    const hash = hashOf(path.join(tree, file));
    const test = known.get(hash) ?? (await watch(file, hash));
    if (test === undefined) continue;
    if (!known.has(hash)) keep(known.set(hash, test));
    found.push(test);
  }
  return found;

  async function watch(file: string, hash: string): Promise<TestFile | undefined> {
    rmSync(seen, { force: true });
    const result = await runs.run({ mutant: '', seen, files: [{ file }] }, 600_000);
    if (result === 'hung' || !result.passed) {
      console.log(`Left out, because it fails without a mutant: ${file}`);
      return undefined;
    }
    const reached = reachedIn(seen);
    const always = reached.get('') ?? new Set<string>();
    const tests = Object.entries(result.ms).map(([name, ms]) => {
      return { name, ms, reaches: always.union(reached.get(name) ?? new Set<string>()) };
    });
    return { file, hash, tests };
  }
}

/**
 * Sorts tests by how likely they are to catch it per second of work: nearby tests, and those that caught its
 * neighbors. The test file beside the source always runs, plus as many other tests as the budget allows, at least
 * one.
 */
export function testsFor(
  mutant: Mutant,
  tests: readonly TestFile[],
  { budgetMs, killsIn }: { readonly budgetMs: number; readonly killsIn: (testFile: string) => number },
): readonly Reaching[] {
  const reaching = tests.flatMap(({ file, hash, tests: all }) => {
    const own = all.filter(({ reaches }) => reaches.has(mutant.id)).toSorted((a, b) => a.ms - b.ms);
    const far = distance(mutant.file, file);
    const worth = (killsIn(file) + 1 / (1 + far)) / own.reduce((sum, { ms }) => sum + ms, startMs);
    return own.length === 0 ? [] : [{ file, hash, own, worth, isBeside: far === 0 }];
  });
  let left = budgetMs;
  let isFirst = true;
  return reaching
    .toSorted((a, b) => b.worth - a.worth)
    .flatMap(({ file, hash, own, isBeside }): Reaching[] => {
      const run = own.filter(({ ms }) => {
        const runs = isBeside || isFirst || left >= ms;
        if (runs) left -= ms;
        isFirst = false;
        return runs;
      });
      if (run.length === 0) return [];
      const ms = run.reduce((sum, test) => sum + test.ms, startMs);
      // Runs again with a larger budget.
      const version = run.length === own.length ? hash : `${hash} ${run.length}`;
      return [{ file, hash: version, names: run.map(({ name }) => name), ms }];
    });
}

function distance(source: string, test: string): number {
  if (test === source.replace(/\.ts$/, '.test.ts')) return 0;
  if (path.dirname(test) === path.dirname(source)) return 1;
  return test.split('/')[1] === source.split('/')[1] ? 2 : 3;
}

/** Mutants by the test that runs them; those that run while modules load are under ''. */
function reachedIn(file: string): ReadonlyMap<string, Set<string>> {
  const reached = new Map<string, Set<string>>();
  let own = new Set<string>();
  reached.set('', own);
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    if (line.startsWith('> ')) {
      own = reached.get(line.slice(2)) ?? new Set();
      reached.set(line.slice(2), own);
    } else if (line !== '') own.add(line);
  }
  return reached;
}

function hashOf(file: string): string {
  const imported = new Set([file]);
  const hash = createHash('sha256');
  // A set also iterates over items added during the iteration.
  for (const each of imported) {
    if (!existsSync(each)) continue;
    const text = readFileSync(each, 'utf8');
    hash.update(each).update(text);
    for (const [, name = ''] of text.matchAll(/'(\.{1,2}\/[^']+\.ts)'/g)) {
      imported.add(path.resolve(path.dirname(each), name));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
