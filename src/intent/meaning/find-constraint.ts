/** The limits in a request: a language, "but" and "without", "only" and "just". */
import type { Constraint } from '../words/intent.ts';
import { worded, type Worded } from './worded.ts';
import { optional } from '../../kernel/optional.ts';

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
/** Up to the end of the clause. Dots inside a word and quoted text don't end it. */
const clause =
  '(?:"[^"\\n]*"|`[^`\\n]*`|\\.(?=\\S)|,\\s*(?=(?:(?:and|or|nor)\\s+)?(?:["`]|[\\w.@-]*[/.]\\w))|[^,.;!?"`])';
const without = worded(['without'], new RegExp(`\\bwithout\\s+(${clause}+)`, 'i'));
const but = worded(
  ['but'],
  new RegExp(`\\bbut\\s+((?:keep|leave|not|only|do not|don'?t|no|make|use|with|without|never)\\b${clause}*)`, 'i'),
);

/** The request without what follows "without", which isn't its subject. */
export function withoutWithheld(text: string): string {
  const match = without.exec(text);
  if (match === null) return text;
  return text.slice(0, match.index) + ' '.repeat(match[0].length) + text.slice(match.index + match[0].length);
}

/** `not`: what the request forbids. */
export function findConstraint(text: string, not?: string): Constraint | undefined {
  const language = (after.exec(text) ?? before.exec(text))?.[1]?.toLowerCase();
  const isGo = go.test(text);
  const limits = { without: clauseAfter(without, text), but: clauseAfter(but, text), only: clauseAfterOnly(text) };
  const constraint: Constraint = {
    ...(language !== undefined && { language: languages.get(language) ?? language }),
    ...(language === undefined && isGo && { language: 'go' }),
    ...optional({ not, without: limits.without, but: limits.but, only: limits.only }),
  };
  return Object.keys(constraint).length > 0 ? constraint : undefined;
}

/** Excludes "not only", "read only" and "I have just". */
function clauseAfterOnly(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (!lower.includes('only') && !lower.includes('just')) return undefined;
  for (const match of text.matchAll(/\b(?:only|just)\s+(.+?)(?=[,;!?]|\.(?:\s|$)|$)/gims)) {
    const before = text.slice(Math.max(0, match.index - 12), match.index);
    if (!/(?:\b(?:read|not|don'?t|have|has|had|was|were|is|i|we)|'ve)\s+$/i.test(before))
      return tidied(match[1] ?? '');
  }
  return undefined;
}

function clauseAfter(shape: Worded, text: string): string | undefined {
  const value = shape.exec(text)?.[1];
  return value === undefined ? undefined : tidied(value);
}

function tidied(clause: string): string {
  return clause
    .replaceAll(/\s+/g, ' ')
    .replace(/\sbut\s.*$/i, '')
    .trim();
}
