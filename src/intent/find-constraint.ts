/** What a request limits: a language, "but" and "without", "only" and "just"; and whether nothing may be changed at all. */
import type { Category, Constraint } from './intent.ts';
import { worded, type Worded } from './worded.ts';

const languages = new Map(
  [
    'typescript',
    'javascript',
    'python',
    'rust',
    'golang',
    'java',
    'kotlin',
    'swift',
    'ruby',
    'php',
    'bash',
    'sql',
    'scala',
    'elixir',
    'haskell',
    'lua',
    'perl',
    'dart',
    'zig',
    'c#',
    'c++',
    'css',
    'html',
  ].map((name) => [name, name === 'golang' ? 'go' : name]),
);
const names = [...languages.keys()];
const named = names.map((name) => name.replaceAll(/[+#]/g, '\\$&')).join('|');
const after = worded(
  names,
  new RegExp(`\\b(?:in|to|into|using|with)\\s+(?:plain\\s+|pure\\s+)?(${named})(?![\\w+#])`, 'i'),
);
const before = worded(
  names,
  new RegExp(
    `\\ba\\s+(?:small\\s+|short\\s+|simple\\s+)?(${named})\\s+(?:script|function|client|program|class|module|version|snippet|library|cli|server|interface)\\b`,
    'i',
  ),
);
const go = worded(['go'], /\b(?:in|to|using)\s+(?:Go\b(?!\s+to)|golang\b)/);
/** To the end of the clause: dots inside a word and whatever stands in quotes do not end it. */
const clause =
  '(?:"[^"\\n]*"|`[^`\\n]*`|\\.(?=\\S)|,\\s*(?=(?:(?:and|or|nor)\\s+)?(?:["`]|[\\w.@-]*[/.]\\w))|[^,.;!?"`])';
const without = worded(['without'], new RegExp(`\\bwithout\\s+(${clause}+)`, 'i'));
const but = worded(
  ['but'],
  new RegExp(`\\bbut\\s+((?:keep|leave|not|only|do not|don'?t|no|make|use|with|without|never)\\b${clause}*)`, 'i'),
);

/** A request but for what follows "without": that is not what it is about. */
export function withoutWithheld(text: string): string {
  const found = without.exec(text);
  if (found === null) return text;
  return text.slice(0, found.index) + ' '.repeat(found[0].length) + text.slice(found.index + found[0].length);
}

/** `not`: what was found to be forbidden. */
export function findConstraint(text: string, not?: string): Constraint | undefined {
  const language = (after.exec(text) ?? before.exec(text))?.[1]?.toLowerCase();
  const isGo = go.test(text);
  const limits = { without: clauseAfter(without, text), but: clauseAfter(but, text), only: clauseAfterOnly(text) };
  const found: Constraint = {
    ...(language !== undefined && { language: languages.get(language) ?? language }),
    ...(language === undefined && isGo && { language: 'go' }),
    ...(not !== undefined && { not }),
    ...(limits.without !== undefined && { without: limits.without }),
    ...(limits.but !== undefined && { but: limits.but }),
    ...(limits.only !== undefined && { only: limits.only }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

/**
 * Whether the person wants nothing changed. Said outright it always holds; "don't touch it" and "just tell me"
 * hold only where the request itself changes nothing, for "fix it, but don't touch the parser" is a fix.
 */
export function saysReadOnly(text: string, category: Category): boolean {
  const said = unquotedText(text);
  return (
    outright.some((shape) => shape.test(said)) || (category === 'query' && mild.some((shape) => shape.test(said)))
  );
}

/** What is quoted is not said. */
function unquotedText(text: string): string {
  return text.replaceAll(/"[^"\n]*"|`[^`\n]*`/g, (quoted) => '·'.repeat(quoted.length));
}

/** "What if we …", "suppose …"; not "would you …", which is only polite. */
export function isHypothetical(text: string): boolean {
  return hypothetical.test(text);
}

const change = '(?:change|modify|edit|touch|alter|write|fix|delete|apply|update|commit|make)';
/** "anything in vendor/" and "anything else" leave the rest free. */
const unlessPlaced = '(?!\\s+(?:in|inside|under|below|within|outside|else|other|except|but|related)\\b)';
const outright: readonly Worded[] = [
  worded(
    ['not', 'don', 'never', 'no need'],
    new RegExp(
      `\\b(?:do not|don'?t|never|must not|may not|not to|no need to|(?:do not|don'?t) (?:want|need|have)(?: you)? to)\\s+${change}\\s+(?:anything|a thing|any(?: code| files?| of))\\b${unlessPlaced}`,
      'i',
    ),
  ),
  worded(
    ['nothing'],
    /\bnothing (?:may|should|must|shall|is to|needs to) be (?:changed|touched|edited|modified)\b|\b(?:change|touch|edit|modify) nothing\b(?! but| except| else| in\b)/i,
  ),
  worded(
    ['no', 'without'],
    /\b(?:no(?: code| file)?|without(?: making)?(?: any)?)\s+(?:edits|changes|modifications)\b/i,
  ),
  worded(
    ['without'],
    new RegExp(
      `\\bwithout\\s+(?:changing|editing|modifying|touching)\\s+(?:anything|a thing|any (?:code|files?|of))\\b${unlessPlaced}`,
      'i',
    ),
  ),
  worded(['read'], /(?:^|[,;.(:]\s*|\b(?:stay|keep it|strictly|in|as)\s+)read[- ]only\b(?!\s+\w+ing)/i),
  worded(['dry'], /\bdry[- ]run\b/i),
  worded(
    ['leave'],
    /\bleave\s+(?:the |all |my )?(?:files?|code|everything|it|them)\s+(?:alone|as|untouched|unchanged)\b/i,
  ),
];
const mild: readonly Worded[] = [
  worded(['touch'], /\b(?:do not|don'?t) touch\s*(?:$|[.,;!])/i),
  worded(['hands'], /\bhands off\b/i),
  worded(
    ['not', 'don'],
    new RegExp(`\\b(?:do not|don'?t)\\s+${change}\\s+(?:it|the|them|this|that|my|our|files?|code)\\b`, 'i'),
  ),
  worded(
    ['just', 'only'],
    /(?:^|[,;.]\s*|\bplease\s+|\byou\s+)(?:just|only)\s+(?:want to |need to )?(?:explain|tell|show|list|look|describe|read|review|check|summari[sz]e|analy[sz]e|report|answer|see|find)\b/i,
  ),
];
const hypothetical = worded(
  ['what', 'imagine', 'suppos', 'assume', 'pretend', 'hypothetically', 'simulate', 'thought', 'say', 'if'],
  /^\W*(?:(?:ok|okay|so|hm+|and|hey|well|now|just curious)\W+)*(?:what\s+(?:if|would\s+(?:happen|break|change|be|go|we|it|the)\b.*\bif)|(?:imagine|suppose|supposing|assume|pretend|hypothetically|simulate|thought experiment|(?:let'?s |let us )say (?:we|i|you|they))\b|if (?:we|i|you|they) (?:\w+ed|were|had|went|did|ran|took|got|lost)\b)/i,
);

/** Not "not only", "read only", nor "I have just". */
function clauseAfterOnly(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (!lower.includes('only') && !lower.includes('just')) return undefined;
  for (const found of text.matchAll(/\b(?:only|just)\s+(.+?)(?=[,;!?]|\.(?:\s|$)|$)/gims)) {
    const before = text.slice(Math.max(0, found.index - 12), found.index);
    if (!/(?:\b(?:read|not|don'?t|have|has|had|was|were|is|i|we)|'ve)\s+$/i.test(before))
      return tidied(found[1] ?? '');
  }
  return undefined;
}

function clauseAfter(shape: Worded, text: string): string | undefined {
  const found = shape.exec(text)?.[1];
  return found === undefined ? undefined : tidied(found);
}

function tidied(clause: string): string {
  return clause
    .replaceAll(/\s+/g, ' ')
    .replace(/\sbut\s.*$/i, '')
    .trim();
}
