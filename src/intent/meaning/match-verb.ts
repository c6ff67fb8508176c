/**
 * Scores: a pattern 50 + priority/10, otherwise a synonym 20 + length/2 + priority/20; both plus priority/50. If no
 * pattern matches, the shape of the sentence counts 40 + priority/20 + priority/50. The highest score wins. Ties go
 * to the longer match, then to the name that sorts first.
 */
import type { Category } from '../words/intent.ts';
import { patternsFor } from '../words/pattern-index.ts';
import type { Verb, VerbTable } from '../words/verb.ts';

export interface VerbMatch {
  readonly verb: Verb;
  readonly score: number;
  readonly matched: string;
}

/** All verbs that a prepared text may mean, best first. */
export function matchVerbs(prepared: string, { verbs, index }: VerbTable): readonly VerbMatch[] {
  const matches = new Map<string, VerbMatch>();
  for (const [name, numbers] of patternsFor(index, prepared)) {
    const verb = verbs.get(name);
    const match = verb === undefined ? undefined : matchPatterns(prepared, verb, numbers);
    if (match !== undefined) matches.set(name, match);
  }
  const hasPattern = matches.size > 0;
  for (const [name, verb] of verbs) {
    if (matches.has(name)) continue;
    const match = (hasPattern ? undefined : matchShapes(prepared, verb)) ?? matchSynonyms(prepared, verb);
    if (match !== undefined) matches.set(name, match);
  }
  return [...matches.values()].toSorted(
    (a, b) => b.score - a.score || b.matched.length - a.matched.length || (a.verb.name < b.verb.name ? -1 : 1),
  );
}

export function confidenceOf(score: number): number {
  return Math.min(1, Math.max(0.3, Math.round(score * 10) / 1000));
}

/** True if they differ in what they may change: the only difference worth a question. */
export function differInChange(a: Category, b: Category): boolean {
  return (a === 'mutation') !== (b === 'mutation');
}

const expressions = new WeakMap<Verb, Map<string, RegExp>>();

/** Compiles the expression on first use. */
function expressionOf(verb: Verb, pattern: string): RegExp {
  const own = expressions.get(verb) ?? new Map<string, RegExp>();
  expressions.set(verb, own);
  const regex = own.get(pattern) ?? new RegExp(pattern, 'm');
  own.set(pattern, regex);
  return regex;
}

function matchPatterns(prepared: string, verb: Verb, numbers: readonly number[]): VerbMatch | undefined {
  for (const number of numbers) {
    const matched = expressionOf(verb, verb.patterns[number] ?? '').exec(prepared)?.[0];
    if (matched !== undefined) return { verb, score: 50 + verb.priority / 10 + verb.priority / 50, matched };
  }
  return undefined;
}

function matchShapes(prepared: string, verb: Verb): VerbMatch | undefined {
  for (const shape of verb.shapes ?? []) {
    const matched = expressionOf(verb, shape).exec(prepared)?.[0];
    if (matched !== undefined) return { verb, score: 40 + verb.priority / 20 + verb.priority / 50, matched };
  }
  return undefined;
}

/** If several match, the longest counts. */
function matchSynonyms(prepared: string, verb: Verb): VerbMatch | undefined {
  let longest = '';
  for (const synonym of verb.synonyms) {
    if (synonym.length > longest.length && standsIn(prepared, synonym)) longest = synonym;
  }
  if (longest === '') return undefined;
  return { verb, score: 20 + longest.length / 2 + verb.priority / 20 + verb.priority / 50, matched: longest };
}

/** True if the text contains the word as a whole word. */
function standsIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isWordChar(text.charCodeAt(at - 1)) && !isWordChar(text.charCodeAt(at + word.length))) return true;
  }
  return false;
}

function isWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 45;
}
