import type { Category } from './intent.ts';
import type { PatternIndex } from './pattern-index.ts';

/** A kind of request: what it may change, who serves it, and the words that identify it. */
export interface Verb {
  readonly name: string;
  readonly category: Category;
  readonly persona: string;
  /** From 0 to 110. If two match equally well, the higher wins. */
  readonly priority: number;
  /** Words or phrases in lower case, matched anywhere. */
  readonly synonyms: readonly string[];
  /** Regular expressions over clauses in lower case, without polite openings, quotes as `<text>`, paths as `<path>`. */
  readonly patterns: readonly string[];
  /** Regular expressions for the shape of a sentence. They count only if no pattern of any verb matches. */
  readonly shapes?: readonly string[];
  /** True if it ends other work (test, commit). It leads a request only if nothing else does. */
  readonly closing?: boolean;
}

export interface VerbTable {
  readonly verbs: ReadonlyMap<string, Verb>;
  /** Other names for a verb: `/add` is `/implement`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The patterns to run on a text. */
  readonly index: PatternIndex;
}

export function findVerb({ verbs, aliases }: VerbTable, name: string): Verb | undefined {
  return verbs.get(name) ?? verbs.get(aliases.get(name) ?? '');
}
