/**
 * Scores: a pattern 50 + priority/10, else a synonym 20 + length/2 + priority/20; both plus priority/50. Where no
 * pattern matches, the shape of the sentence counts 40 + priority/20 + priority/50. The best wins; of equals the one
 * whose match is longer, then the one whose name comes first.
 */
import type { Category } from './intent.ts';
import { mayMatch, openingsOf, type Openings } from './pattern-openings.ts';
import type { Verb, VerbTable } from './verb.ts';

export interface VerbMatch {
  readonly verb: Verb;
  readonly score: number;
  readonly matched: string;
}

/** All verbs that a prepared text may mean, best first. */
export function matchVerbs(prepared: string, table: VerbTable): readonly VerbMatch[] {
  const found: VerbMatch[] = [];
  const clauses = prepared.split('\n');
  const all = compiledOf(table);
  for (const compiled of all) {
    const matched = matchPatterns(prepared, clauses, compiled);
    if (matched !== undefined) found.push(matched);
  }
  const hasPattern = found.length > 0;
  for (const compiled of all) {
    if (found.some(({ verb }) => verb === compiled.verb)) continue;
    const matched =
      (hasPattern ? undefined : matchShapes(prepared, compiled)) ?? matchSynonyms(prepared, compiled);
    if (matched !== undefined) found.push(matched);
  }
  return found.toSorted(
    (a, b) => b.score - a.score || b.matched.length - a.matched.length || (a.verb.name < b.verb.name ? -1 : 1),
  );
}

export function confidenceOf(score: number): number {
  return Math.min(1, Math.max(0.3, Math.round(score * 10) / 1000));
}

/** What may be changed by them differs: the one question that is worth asking about. */
export function differInChange(a: Category, b: Category): boolean {
  return (a === 'mutation') !== (b === 'mutation');
}

interface CompiledVerb {
  readonly verb: Verb;
  readonly patterns: readonly CompiledPattern[];
  readonly shapes: readonly (() => RegExp)[];
  /** Longest first: the longest is the one that counts. */
  readonly synonyms: readonly string[];
}

interface CompiledPattern {
  /** What must be there for the expression to be worth running. */
  readonly openings: Openings | undefined;
  readonly expression: () => RegExp;
}

const compiledTables = new WeakMap<VerbTable, readonly CompiledVerb[]>();

function compiledOf(table: VerbTable): readonly CompiledVerb[] {
  const known = compiledTables.get(table);
  if (known !== undefined) return known;
  const compiled = [...table.verbs.values()].map((verb): CompiledVerb => ({
    verb,
    patterns: verb.patterns.map((pattern) => ({
      openings: openingsOf(pattern),
      expression: lazyExpression(pattern),
    })),
    shapes: (verb.shapes ?? []).map(lazyExpression),
    synonyms: verb.synonyms.map((text) => text.toLowerCase()).toSorted((a, b) => b.length - a.length),
  }));
  compiledTables.set(table, compiled);
  return compiled;
}

/** Most expressions are never needed; making one takes longer than all else here. */
function lazyExpression(pattern: string): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= new RegExp(pattern, 'm'));
}

function matchPatterns(
  prepared: string,
  clauses: readonly string[],
  { verb, patterns }: CompiledVerb,
): VerbMatch | undefined {
  for (const { openings, expression } of patterns) {
    const isWorthIt = openings === undefined || mayMatch(openings, prepared, clauses);
    const matched = isWorthIt ? expression().exec(prepared)?.[0] : undefined;
    if (matched !== undefined) return { verb, score: 50 + verb.priority / 10 + verb.priority / 50, matched };
  }
  return undefined;
}

function matchShapes(prepared: string, { verb, shapes }: CompiledVerb): VerbMatch | undefined {
  for (const shape of shapes) {
    const matched = shape().exec(prepared)?.[0];
    if (matched !== undefined) return { verb, score: 40 + verb.priority / 20 + verb.priority / 50, matched };
  }
  return undefined;
}

function matchSynonyms(prepared: string, { verb, synonyms }: CompiledVerb): VerbMatch | undefined {
  const matched = synonyms.find((synonym) => standsIn(prepared, synonym));
  if (matched === undefined) return undefined;
  return { verb, score: 20 + matched.length / 2 + verb.priority / 20 + verb.priority / 50, matched };
}

/** As a word of its own. */
function standsIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isWordChar(text.charCodeAt(at - 1)) && !isWordChar(text.charCodeAt(at + word.length))) return true;
  }
  return false;
}

function isWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 45;
}
