/**
 * Results of earlier runs, in `.cache/mutate`. A stopped run resumes, and a run after new tests only retries
 * the survivors that those tests reach.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { TestFile } from './mutant-tests.ts';
import type { Tried } from './mutation-report.ts';

interface Progress {
  /** By the id of the mutant. */
  readonly results: Map<string, Tried['result']>;
  readonly controls: { passed: number; failed: number };
  /** What each test file reaches, by its hash. */
  readonly tests: Map<string, TestFile>;
  ms: number;
}

export function loadProgress(folder: string): Progress {
  const { results, controls, ms } = (read(`${folder}/progress.json`) ?? {}) as Partial<ReturnType<typeof asJson>>;
  const tests = (read(`${folder}/reach.json`) ?? []) as ReturnType<typeof testsAsJson>;
  return {
    results: new Map(results),
    controls: controls ?? { passed: 0, failed: 0 },
    tests: new Map(
      tests.map((file) => [
        file.hash,
        { ...file, tests: file.tests.map((test) => ({ ...test, reaches: new Set(test.reaches) })) },
      ]),
    ),
    ms: ms ?? 0,
  };
}

export function saveProgress(folder: string, progress: Progress): void {
  writeFileSync(`${folder}/progress.json`, JSON.stringify(asJson(progress)));
}

/** Stored separately: large, and unchanged while mutants run. */
export function saveTests(folder: string, tests: Progress['tests']): void {
  // For a changed file, only the newest version.
  const newest = new Map([...tests.values()].map((test) => [test.file, test]));
  writeFileSync(`${folder}/reach.json`, JSON.stringify(testsAsJson([...newest.values()])));
}

const asJson = ({ results, controls, ms }: Progress) => ({ results: [...results], controls, ms });

const testsAsJson = (tests: readonly TestFile[]) =>
  tests.map((file) => ({
    ...file,
    tests: file.tests.map((test) => ({ ...test, reaches: [...test.reaches] })),
  }));

function read(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
