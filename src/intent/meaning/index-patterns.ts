/**
 * Builds the index that `patternsFor` reads. The index of the shipped verbs is prebuilt
 * (scripts/compile-intent.ts).
 */
import type { PatternIndex, WordedPattern } from '../words/pattern-index.ts';
import { openingsOf } from './pattern-openings.ts';

interface Patterned {
  readonly name: string;
  readonly patterns: readonly string[];
}

export function indexPatterns(verbs: Iterable<Patterned>): PatternIndex {
  const openings: Record<string, WordedPattern[]> = {};
  const words: WordedPattern[] = [];
  const always: [string, number][] = [];
  for (const { name, patterns } of verbs) {
    for (const [number, pattern] of patterns.entries()) {
      const starts = openingsOf(pattern);
      if (starts === undefined) always.push([name, number]);
      for (const word of starts?.words ?? []) {
        if (starts?.at === 'anywhere') words.push([word, name, number]);
        else (openings[word[0] ?? ''] ??= []).push([word, name, number]);
      }
    }
  }
  return { openings, words, always };
}
