/**
 * Selects the patterns worth running on a text by how they open. Compiling a regular expression takes longer than
 * all other work on a prompt, and most are never needed. Patterns that the index excludes could not have matched.
 */
export interface PatternIndex {
  /** By first letter: how a clause must start. */
  readonly openings: Readonly<Record<string, readonly WordedPattern[]>>;
  /** Words that must appear somewhere in the text. */
  readonly words: readonly WordedPattern[];
  /** Patterns for which neither can be derived. */
  readonly always: readonly (readonly [verb: string, pattern: number])[];
}

/** Identifies a pattern by its verb and its number there. */
export type WordedPattern = readonly [word: string, verb: string, pattern: number];

/** The numbers of the patterns to run, by verb, ascending. */
export function patternsFor(index: PatternIndex, text: string): ReadonlyMap<string, readonly number[]> {
  const matches = new Map<string, Set<number>>();
  const add = (verb: string, pattern: number): void => {
    const patterns = matches.get(verb);
    if (patterns === undefined) matches.set(verb, new Set([pattern]));
    else patterns.add(pattern);
  };
  for (const [verb, pattern] of index.always) add(verb, pattern);
  for (const [word, verb, pattern] of index.words) if (text.includes(word)) add(verb, pattern);
  for (const clause of text.split('\n')) {
    for (const [word, verb, pattern] of index.openings[clause[0] ?? ''] ?? []) {
      if (clause.startsWith(word)) add(verb, pattern);
    }
  }
  return new Map([...matches].map(([verb, patterns]) => [verb, [...patterns].toSorted((a, b) => a - b)]));
}
