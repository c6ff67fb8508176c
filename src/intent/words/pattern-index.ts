/**
 * Which patterns of which verbs are worth running on a text, told from how they open: making a regular expression
 * takes longer than all else that is done with a prompt, and most are never needed. What the index leaves out could
 * not have matched.
 */
export interface PatternIndex {
  /** By its first letter: how a clause must begin. */
  readonly openings: Readonly<Record<string, readonly WordedPattern[]>>;
  /** What must stand somewhere in the text. */
  readonly words: readonly WordedPattern[];
  /** Patterns of which neither can be told. */
  readonly always: readonly (readonly [verb: string, pattern: number])[];
}

/** The place of a pattern is the name of its verb and its number there. */
export type WordedPattern = readonly [word: string, verb: string, pattern: number];

/** The numbers of the patterns to run, by verb, ascending. */
export function patternsFor(index: PatternIndex, text: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, Set<number>>();
  const add = (verb: string, pattern: number): void => {
    const known = found.get(verb);
    if (known === undefined) found.set(verb, new Set([pattern]));
    else known.add(pattern);
  };
  for (const [verb, pattern] of index.always) add(verb, pattern);
  for (const [word, verb, pattern] of index.words) if (text.includes(word)) add(verb, pattern);
  for (const clause of text.split('\n')) {
    for (const [word, verb, pattern] of index.openings[clause[0] ?? ''] ?? []) {
      if (clause.startsWith(word)) add(verb, pattern);
    }
  }
  return new Map([...found].map(([verb, patterns]) => [verb, [...patterns].toSorted((a, b) => a - b)]));
}
