/**
 * Prepares a prompt for matching: the first 2,000 characters in lower case, one clause per line, without polite
 * openings, quotes as `<text>`, paths as `<path>` (`<testpath>` if it names a test), and without what the user said
 * *not* to do. Corrects a typo in a clause's opening word.
 */
import { findPaths, isTestPath } from './paths.ts';
import { correctOpening } from './spelling.ts';

const limit = 2_000;

export function prepareText(text: string): string {
  const clauses = maskText(text.slice(0, limit))
    .toLowerCase()
    .split(clauseEnd)
    .map((clause) => openingOf(clause.replaceAll(/\s+/g, ' ').trim()))
    .filter((clause) => clause !== '' && !isNegated(clause))
    .map((clause) => withoutRest(correctOpening(clause)));
  return clauses.filter((clause) => clause !== '').join('\n');
}

/** Replaces quotes and paths and keeps everything else. */
export function maskText(text: string): string {
  let masked = text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
  for (const path of findPaths(masked).toSorted((a, b) => b.length - a.length)) {
    masked = masked.replaceAll(path, path.endsWith('/') ? '<folder>' : isTestPath(path) ? '<testpath>' : '<path>');
  }
  return masked.replaceAll(/"[^"\n]*"|`[^`\n]*`|(?<![\w])'[^'\n]*'(?![\w])/g, (quoted) =>
    /^.<(?:(?:test)?path|folder)>.$/.test(quoted) ? quoted.slice(1, -1) : '<text>',
  );
}

const clauseEnd = /[.;!?:]+(?:\s+|$)|,\s*|\s+-+\s+|\n+|\s+(?:but|because)\s+|\s*\(|\)\s*/;

/** Phrases that may precede a request, by their first words. */
const openings: readonly (readonly [words: ReadonlySet<string>, shape: RegExp])[] = [
  [
    new Set(
      'hi hey hello ok okay so well right now then and also first finally next please pls plz kindly quickly maybe perhaps yes yeah sure great actually just only simply again thanks hm no'.split(
        ' ',
      ),
    ),
    /^(?:hi|hey|hello|ok|okay|so|well|right|now|then|and|also|first|finally|next|please|pls|plz|kindly|quickly|maybe|perhaps|yes|yeah|sure|great|actually|just|only|simply|again|thanks|hm+|no)\b[\s,]+(?!there$|all$|rondo$|again$)(?=\S)/,
  ],
  [
    new Set('can could would will cold'.split(' ')),
    /^(?:can|could|would|will|cold) (?:you|u|we(?! have\b))\b(?: (?:please|pls|kindly|maybe|also|just|quickly))*(?: (?:be so kind (?:as to|and)|mind|be able to|help me(?: to)?|help us(?: to)?|try to|go ahead and))?(?: (?:please|also|just))*\s+(?=\S)/,
  ],
  [
    new Set("i i'd".split(' ')),
    /^i(?:'d| would)(?: really)? (?:like|love|want|prefer|appreciate it)(?: for)?(?: if)?(?: you)?(?: to| could| would)?\s+(?=\S)/,
  ],
  [new Set('i we'.split(' ')), /^(?:i|we) (?:want|need|wish)(?: you)? to\s+(?=\S)/],
  [
    new Set("it it'd would".split(' ')),
    /^(?:it would be|it'd be|would be) (?:nice|great|good|cool|helpful|useful|handy|neat|lovely|convenient)(?: if)?(?: you)?(?: could| would)?(?: to(?! have\b))?\s+(?=\S)/,
  ],
  [new Set('i'.split(' ')), /^i (?:think|guess|believe)(?: that)?(?: we| you)?(?: should| could)?\s+(?=\S)/],
  [
    new Set("let's lets let go try help feel do don't dont remember time how what".split(' ')),
    /^(?:(?:let's|lets|let us)(?! say)|go ahead and|try to|try and|help me(?: to)?|help us(?: to)?|feel free to|do me a favou?r and|do not forget to|don't forget to|dont forget to|remember to|time to|how about|what about)\s+(?=\S)/,
  ],
  [new Set('we you one'.split(' ')), /^(?:we|you|one) (?:should|must|need to|have to|could|ought to)\s+(?=\S)/],
  [
    new Set('tell do any let'.split(' ')),
    /^(?:tell me|do you know|any idea|let me know)\s+(?=what|how|why|which|where|when|who|if|whether)/,
  ],
  [new Set("i i'm".split(' ')), /^i(?:'m| am)? (?:wonder|wondering|curious)(?: about)?\s+(?=\S)/],
];

function openingOf(clause: string): string {
  let rest = clause;
  for (let before = ''; before !== rest;) {
    before = rest;
    for (const [words, shape] of openings) if (words.has(firstWord(rest))) rest = rest.replace(shape, '');
  }
  return rest;
}

/** Reads "hmmm" as "hm". */
function firstWord(clause: string): string {
  let end = 0;
  while (isWordCharacter(clause.charCodeAt(end))) end += 1;
  const word = clause.slice(0, end);
  return word.startsWith('hmm') ? 'hm' : word;
}

function isWordCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || code === 39;
}

const negated =
  /^(?:please )?(?:do not|don't|dont|never (?:change|touch|edit|modify|delete)|no (?:edits|changes|modifications|need to)|leave)\b/;
const negating: ReadonlySet<string> = new Set("please do don't dont never no leave".split(' '));

function isNegated(clause: string): boolean {
  return negating.has(firstWord(clause)) && negated.test(clause);
}

/** Drops what follows "without", because it must not be done. */
function withoutRest(clause: string): string {
  return clause.includes('without') ? clause.replace(/\bwithout\b.*$/, '').trim() : clause.trim();
}
