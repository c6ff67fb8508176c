// Removes secrets from text.
//
// 1. A redactor's output contains no known secret value and no known token shape.
// 2. A stream's pieces, joined, equal the redacted whole text: a secret split across pieces is hidden too. Text is
//    held back only while it could still become part of a secret.
// 3. Everything else passes unchanged and in order. `end` releases the text held back.
import { escapeRegExp, TOKEN_OPENINGS, TOKEN_PATTERN, UNFINISHED_TOKEN } from './token-shapes.ts';

/** Transforms text. */
export type TextFilter = (text: string) => string;

export const REDACTED = '[redacted]';

/** `known`: hides only the given values, not text that merely looks like a token. */
export type Hidden = 'known' | 'known-and-token-shapes';

/** Creates a filter for whole texts. `secrets` come from `collectSecrets`. */
export function createRedactor(secrets: readonly string[], hidden: Hidden = 'known-and-token-shapes'): TextFilter {
  const pattern = secretPattern(secrets.flatMap(spellings), hidden);
  return (text) => text.replace(pattern, REDACTED);
}

/** Creates a redactor for text that arrives in pieces. Use one per stream. */
export function createStreamRedactor(
  secrets: readonly string[],
  hidden: Hidden = 'known-and-token-shapes',
): {
  readonly push: TextFilter;
  readonly end: () => string;
} {
  const values = secrets.flatMap(spellings);
  const pattern = secretPattern(values, hidden);
  const openings = openingsByLetter(hidden === 'known' ? values : [...values, ...TOKEN_OPENINGS]);
  const longest = Math.max(0, ...values.map((value) => value.length));
  // The character before the held text: a token shape starts only at the start of a word.
  let before = '';
  let held = '';
  const give = (text: string, more: boolean): string => {
    const whole = before + text;
    const { clean, taken } = redactUpTo(whole, before.length, { pattern, openings, longest, more, hidden });
    held = whole.slice(taken);
    before = taken > 0 ? whole.charAt(taken - 1) : '';
    return clean;
  };
  return {
    push: (piece) => give(held + piece, held.length + piece.length < MOST_HELD),
    end: () => give(held, false),
  };
}

// A key block that never ends must not exhaust memory. Past this limit it is released, redacted.
const MOST_HELD = 1 << 20;

type Search = {
  readonly pattern: RegExp;
  readonly openings: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
  readonly more: boolean;
  readonly hidden: Hidden;
};

/** Redacts from `start` up to the first point where a secret may begin that the end of the text cuts off. */
function redactUpTo(
  text: string,
  start: number,
  search: Search,
): { readonly clean: string; readonly taken: number } {
  const seeksOpen = search.more && search.hidden !== 'known';
  let open = seeksOpen ? firstUnfinished(text, start) : text.length;
  let clean = '';
  let place = start;
  for (;;) {
    search.pattern.lastIndex = place;
    const match = search.pattern.exec(text);
    const limit = match?.index ?? text.length;
    // A match may cover the opening that was found: another one may follow it.
    if (open < place) open = firstUnfinished(text, place);
    const cut = search.more ? Math.min(firstCutOff(text, place, limit, search), open) : text.length;
    const touchesEnd = match !== null && search.more && match.index + match[0].length === text.length;
    if (match === null || cut <= limit || touchesEnd) {
      const taken = Math.min(cut, touchesEnd ? limit : text.length);
      return { clean: clean + text.slice(place, taken), taken };
    }
    clean += text.slice(place, match.index) + REDACTED;
    place = match.index + match[0].length;
  }
}

/** Where an unfinished token begins that reaches to the end of the text; the text's end if there is none. */
function firstUnfinished(text: string, from: number): number {
  UNFINISHED_TOKEN.lastIndex = from;
  return UNFINISHED_TOKEN.exec(text)?.index ?? text.length;
}

/** The first place from which the rest of the text is the beginning of something to hide. */
function firstCutOff(text: string, from: number, to: number, search: Search): number {
  const reach = Math.max(search.longest, LONGEST_OPENING) - 1;
  for (let place = Math.max(from, text.length - reach); place <= to && place < text.length; place += 1) {
    const candidates = search.openings.get(text.charAt(place)) ?? [];
    const rest = candidates.length === 0 ? '' : text.slice(place);
    if (candidates.some((candidate) => candidate.length > rest.length && candidate.startsWith(rest))) return place;
  }
  return text.length;
}

const LONGEST_OPENING = Math.max(...TOKEN_OPENINGS.map((opening) => opening.length));

function secretPattern(values: readonly string[], hidden: Hidden): RegExp {
  const longestFirst = values.toSorted((one, other) => other.length - one.length);
  const shapes = hidden === 'known' ? [] : [TOKEN_PATTERN];
  const parts = [...longestFirst.map(escapeRegExp), ...shapes];
  // With nothing to hide, nothing matches.
  return new RegExp(parts.length === 0 ? '(?!)' : parts.join('|'), 'g');
}

// The secret as is, and as it appears inside JSON or a URL.
function spellings(secret: string): readonly string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])];
}

function openingsByLetter(openings: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(openings, (opening) => opening.charAt(0));
}
