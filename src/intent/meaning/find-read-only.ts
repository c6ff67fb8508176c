/**
 * Detects whether the user forbids all changes, and returns the words that do so. The gate denies on these words,
 * so only unmistakable ones count: an order about everything, or a hypothetical question. An order about one thing
 * ("don't change the public API") is a limit of the request, and a sentence that only describes ("the tests don't
 * change anything") isn't an order. Quoted text doesn't count as the user's words.
 */
import { worded, type Worded } from './worded.ts';

/** The user's words. Undefined if none are unmistakable. */
export function findReadOnly(text: string): string | undefined {
  const unquoted = text.replaceAll(/"[^"\n]*"|`[^`\n]*`|“[^”\n]*”/g, (quoted) => '·'.repeat(quoted.length));
  for (const shape of [...orders, hypothetical]) {
    const match = shape.exec(unquoted);
    if (match === null) continue;
    const { words = match[0] } = match.groups ?? {};
    const at = match.index + match[0].indexOf(words);
    return text.slice(at, at + words.length).trim();
  }
  return undefined;
}

/** An order starts a clause. A verb in the middle of one has another subject. */
const opening = String.raw`(?:^|[,;.:!?()\n–—]\s*|\s-\s+|\b(?:but|and|so|please|just|also|then|you|ok|okay|still|though|really)\s+)`;
const clauseOpening = String.raw`(?:^|[,;.:!?()\n–—]\s*|\s-\s+|\b(?:but|and|please)\s+)`;
/** Nothing that narrows it follows: no place, no exception, no condition. */
const closing = String.raw`(?=\s*(?:$|[,;.:!?()\n–—]|-\s|(?:yet|now|please|for now|at all|and|or|just|only|so|because|by yourself|on your own|ok|okay|thanks)\b))`;
const sharpClosing = String.raw`(?=\s*(?:$|[;.:!?)\n–—]|please\b|yet\b|for now\b|allowed\b|,?\s*(?:just|only)\b))`;
const change = '(?:change|modify|edit|touch|alter|write|fix|break)';
const everything =
  '(?:anything|a thing|any (?:code|files?|of (?:it|this|them|the (?:code|files)|my (?:code|files))))';
const changes = '(?:edits|changes|modifications|fixes)';
const not = `(?:do not|don['’]?t|never)`;

const orders: readonly Worded[] = [
  worded(
    ['not', 'don', 'never'],
    new RegExp(
      `${opening}(?<words>(?:${not}|(?:must|may|should) not)\\s+${change}\\s+${everything})${closing}`,
      'i',
    ),
  ),
  worded(
    ['not', 'don'],
    new RegExp(
      `${opening}(?<words>${not}\\s+make\\s+(?:any\\s+)?(?:code\\s+|file\\s+)?${changes})${closing}`,
      'i',
    ),
  ),
  worded(
    ['not', 'don'],
    new RegExp(
      `\\b(?:i|we)\\s+(?<words>${not} (?:want|need)(?: you)? to\\s+${change}\\s+${everything})${closing}`,
      'i',
    ),
  ),
  worded(
    ['not to'],
    new RegExp(
      `\\b(?:you|sure|careful|want|try|remember|asked|prefer)\\s+(?<words>not to\\s+(?:${change}\\s+${everything}|make any ${changes}))${closing}`,
      'i',
    ),
  ),
  worded(['no need'], new RegExp(`\\b(?<words>no need to\\s+${change}\\s+${everything})${closing}`, 'i')),
  worded(
    ['nothing'],
    new RegExp(
      `${opening}(?<words>(?:change|touch|edit|modify) nothing)${closing}|${clauseOpening}(?<words>nothing (?:may|should|must|shall|is to) be (?:changed|touched|edited|modified))${closing}`,
      'i',
    ),
  ),
  // "no changes" in the middle of a sentence usually describes. At its edges, or with a "please", it is an order.
  worded(
    ['no '],
    new RegExp(
      `(?:^\\s*|\\b(?:make|please)\\s+)(?<words>no (?:code |file )?${changes})${closing}|${clauseOpening}(?<words>no (?:code |file )?${changes})${sharpClosing}`,
      'i',
    ),
  ),
  worded(
    ['without'],
    new RegExp(
      `\\b(?<words>without (?:making )?(?:any )?(?:code |file )?${changes})${closing}|\\b(?<words>without (?:changing|editing|modifying|touching) ${everything})${closing}`,
      'i',
    ),
  ),
  worded(
    ['only'],
    new RegExp(
      `(?:^|[,;.:!?()\\n–—]\\s*|\\b(?:stay|work|strictly)\\s+)(?<words>(?:read|report|analysis|review|look|explanation)[- ]only(?: mode)?)${sharpClosing}`,
      'i',
    ),
  ),
  worded(
    ['dry'],
    new RegExp(
      `(?:^|[,;.:()\\n–—]\\s*|\\b(?:but|as a|do a|just a)\\s+)(?<words>dry[- ]run)(?=\\s*(?:$|[,;.:!?)]|(?:the|this|a|it|only|first|please)\\b))`,
      'i',
    ),
  ),
  worded(
    ['touch', 'change', 'edit', 'modify'],
    new RegExp(
      `${opening}(?<words>${not}\\s+(?:touch|change|edit|modify))(?=\\s*(?:$|[;.!?)]|,\\s*(?:just|only)\\b))`,
      'i',
    ),
  ),
  worded(
    ['hands'],
    new RegExp(
      `${clauseOpening}(?<words>hands off(?: everything| the keyboard)?)(?=\\s*(?:$|[,;.:!?)]|please\\b))`,
      'i',
    ),
  ),
  worded(
    ['leave'],
    new RegExp(
      `${opening}(?<words>leave everything (?:exactly )?(?:alone|untouched|unchanged|as (?:it )?is))${closing}`,
      'i',
    ),
  ),
];

/**
 * Matches "What if we …" and "suppose we …, what would …?". Excludes "would you …", which is only polite, and "if
 * you changed it, run …".
 */
const hypothetical = worded(
  ['what', 'imagine', 'suppos', 'hypothetically', 'thought', 'say', 'if'],
  /^\W*(?:(?:ok|okay|so|hm+|and|hey|well|now|just curious)\W+)*(?<words>what\s+if\b|what\s+(?:would|could|might)\s+(?:happen|break|change|be|go|we|it|the)\b[^.!?\n]*\bif\b|hypothetically\b|(?:a )?thought experiment\b|(?:imagine|suppose|supposing|let['’]?s say|let us say|say)\s+(?:that\s+)?(?:we|i|you|they|there|it)\b(?=[^\n]*\b(?:would|could|might|what then|what happens|what breaks)\b)|if\s+(?:we|i|you|they)\s+(?:\w+ed|were|had|went|did|ran|took|got|lost)\b(?=[^\n]*\b(?:would|could|might)\b))/i,
);
