/**
 * What earlier runs of the same sample found, in `.cache/mutate`: a run that was stopped goes on where it was, and
 * one after new tests tries the survivors again only.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { TestFile } from './mutant-tests.ts';
import type { Numbered } from './mutant-tree.ts';
import type { Tried } from './mutation-report.ts';

export interface Progress {
  readonly results: Map<number, Tried['result']>;
  readonly controls: { passed: number; failed: number };
  /** What each test file reaches, under the hash of its text. */
  readonly tests: Map<string, TestFile>;
  ms: number;
}

export function loadProgress(file: string, mutants: readonly Numbered[]): Progress {
  const empty = { results: new Map(), controls: { passed: 0, failed: 0 }, tests: new Map(), ms: 0 };
  if (!existsSync(file)) return empty;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof asJson>;
  // Numbers mean the same mutants only as long as seed, count and sources are the same.
  if (kept.key !== keyOf(mutants)) return empty;
  const tests = kept.tests.map(([hash, test]) => [hash, { ...test, reaches: new Set(test.reaches) }] as const);
  return { results: new Map(kept.results), controls: kept.controls, tests: new Map(tests), ms: kept.ms };
}

export function saveProgress(file: string, mutants: readonly Numbered[], progress: Progress): void {
  writeFileSync(file, JSON.stringify(asJson(mutants, progress)));
}

function asJson(mutants: readonly Numbered[], { results, controls, tests, ms }: Progress) {
  const files = [...tests].map(([hash, test]) => [hash, { ...test, reaches: [...test.reaches] }] as const);
  return { key: keyOf(mutants), results: [...results], controls, tests: files, ms };
}

function keyOf(mutants: readonly Numbered[]): string {
  return createHash('sha256').update(JSON.stringify(mutants)).digest('hex');
}
