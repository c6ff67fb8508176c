import type { Category } from './intent.ts';
import type { PatternIndex } from './pattern-index.ts';

/** A kind of request: what it may change, who serves it, and the words it is known by. */
export interface Verb {
  readonly name: string;
  readonly category: Category;
  readonly persona: string;
  /** 0 to 110; of two that match alike the higher wins. */
  readonly priority: number;
  /** Words or phrases in lower case, found anywhere. */
  readonly synonyms: readonly string[];
  /** Regular expressions over clauses in lower case, with polite openings taken off, quotes as `<text>`, paths as `<path>`. */
  readonly patterns: readonly string[];
  /** Regular expressions for the shape of a sentence, which count only where no pattern of any verb does. */
  readonly shapes?: readonly string[];
  /** It ends other work (test, commit) and leads a request only where nothing else does. */
  readonly closing?: boolean;
}

export interface VerbTable {
  readonly verbs: ReadonlyMap<string, Verb>;
  /** Other names for a verb: `/add` is `/implement`. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Which patterns to run on a text. */
  readonly index: PatternIndex;
}

export function findVerb({ verbs, aliases }: VerbTable, name: string): Verb | undefined {
  return verbs.get(name) ?? verbs.get(aliases.get(name) ?? '');
}
