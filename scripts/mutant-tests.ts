/** Which unit tests can notice a mutant: those that run its code, measured once for every test file. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import type { MutantRuns } from './mutant-runs.ts';
import type { Mutant } from './mutants.ts';

export interface TestFile {
  readonly file: string;
  /** Of its name and text. */
  readonly hash: string;
  readonly ms: number;
  readonly reaches: ReadonlySet<number>;
}

/** Folders whose tests run sessions, stores or the kernel; other tests reach them by way of these at most. */
const watched = 'kernel,session,journal,runtime,testing,workers,upkeep,host,assembly';

const budgetMs = 15_000;

export async function watchedTests(
  tree: string,
  runs: MutantRuns,
  known: Map<string, TestFile>,
): Promise<readonly TestFile[]> {
  const seen = path.join(tree, 'seen.txt');
  const files = globSync([`src/{${watched}}/**/*.test.ts`, 'test/golden/*.test.ts'], { cwd: tree }).toSorted();
  const tests: TestFile[] = [];
  for (const file of files) {
    const hash = createHash('sha256')
      .update(file)
      .update(readFileSync(path.join(tree, file)))
      .digest('hex');
    const test = known.get(hash) ?? (await watch(file, hash));
    if (test !== undefined) known.set(hash, test);
    if (test !== undefined) tests.push(test);
  }
  return tests;

  async function watch(file: string, hash: string): Promise<TestFile | undefined> {
    rmSync(seen, { force: true });
    const result = await runs.run({ mutant: -1, seen, files: [file] }, 120_000);
    if (result.type === 'passed') return { file, hash, ms: result.ms, reaches: numbersIn(seen) };
    // A test that fails without a mutant says nothing about one.
    console.log(`Left out, because it fails without a mutant: ${file}`);
    return undefined;
  }
}

/** The nearest first, then the fastest: all beside the source, and of others as many as a survivor may cost. */
export function testsFor(
  mutant: Mutant & { readonly number: number },
  tests: readonly TestFile[],
): readonly TestFile[] {
  const folder = folderOf(mutant.file);
  const ordered = tests
    .filter(({ reaches, file }) => reaches.has(mutant.number) && (folder !== 'kernel' || isNear(file, 'kernel')))
    .toSorted((a, b) => distance(mutant.file, a.file) - distance(mutant.file, b.file) || a.ms - b.ms);
  let spent = 0;
  return ordered.filter(({ file, ms }) => distance(mutant.file, file) < 2 || (spent += ms) <= budgetMs);
}

/** Kernel tests and golden journals are whole by themselves: what they let pass, the kernel lets pass. */
const isNear = (file: string, folder: string) => folderOf(file) === folder || file.startsWith('test/golden/');

function distance(source: string, test: string): number {
  if (test === source.replace(/\.ts$/, '.test.ts')) return 0;
  if (path.dirname(test) === path.dirname(source)) return 1;
  return folderOf(test) === folderOf(source) ? 2 : 3;
}

const folderOf = (file: string) => file.split('/')[1];

function numbersIn(file: string): ReadonlySet<number> {
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number) : []);
}
