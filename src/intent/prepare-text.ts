/**
 * A prompt made ready for matching: the first 2,000 characters in lower case, one clause a line, polite openings
 * taken off, quotes as `<text>`, paths as `<path>` (`<testpath>` where it names a test), and what the person said
 * *not* to do left out. A slip in a clause's opening word is put right.
 */
import { findPaths, isTestPath } from './paths.ts';
import { correctOpening } from './spelling.ts';

const limit = 2_000;

export function prepareText(text: string): string {
  const clauses = maskText(text.slice(0, limit))
    .toLowerCase()
    .split(clauseEnd)
    .map((clause) => openingOf(clause.replaceAll(/\s+/g, ' ').trim()))
    .filter((clause) => clause !== '' && !negated.test(clause))
    .map((clause) => correctOpening(clause).replace(withheld, '').trim());
  return clauses.filter((clause) => clause !== '').join('\n');
}

/** Quotes and paths replaced, everything else as it was. */
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

const openings: readonly RegExp[] = [
  /^(?:hi|hey|hello|ok|okay|so|well|right|now|then|and|also|first|finally|next|please|pls|plz|kindly|quickly|maybe|perhaps|yes|yeah|sure|great|actually|just|only|simply|again|thanks|hm+|no)\b[\s,]+(?!there$|all$|rondo$|again$)(?=\S)/,
  /^(?:can|could|would|will|cold) (?:you|u|we)\b(?: (?:please|pls|kindly|maybe|also|just|quickly))*(?: (?:be so kind (?:as to|and)|mind|be able to|help me(?: to)?|help us(?: to)?|try to|go ahead and))?(?: (?:please|also|just))*\s+(?=\S)/,
  /^i(?:'d| would)(?: really)? (?:like|love|want|prefer|appreciate it)(?: for)?(?: if)?(?: you)?(?: to| could| would)?\s+(?=\S)/,
  /^(?:i|we) (?:want|need|wish)(?: you)? to\s+(?=\S)/,
  /^(?:it would be|it'd be|would be) (?:nice|great|good|cool|helpful|useful)(?: if)?(?: you)?(?: could| would)?(?: to)?\s+(?=\S)/,
  /^i (?:think|guess|believe)(?: that)?(?: we| you)?(?: should| could)?\s+(?=\S)/,
  /^(?:(?:let's|lets|let us)(?! say)|go ahead and|try to|try and|help me(?: to)?|help us(?: to)?|feel free to|do me a favou?r and|do not forget to|don't forget to|dont forget to|remember to|time to|how about|what about)\s+(?=\S)/,
  /^(?:we|you|one) (?:should|must|need to|have to|could|ought to)\s+(?=\S)/,
  /^(?:tell me|do you know|any idea|let me know)\s+(?=what|how|why|which|where|when|who|if|whether)/,
  /^i(?:'m| am)? (?:wonder|wondering|curious)(?: about)?\s+(?=\S)/,
];

function openingOf(clause: string): string {
  let rest = clause;
  for (let before = ''; before !== rest;) {
    before = rest;
    for (const opening of openings) rest = rest.replace(opening, '');
  }
  return rest;
}

const negated =
  /^(?:please )?(?:do not|don't|dont|never (?:change|touch|edit|modify|delete)|no (?:edits|changes|modifications)|leave)\b/;
const withheld = /\bwithout\b.*$/;
