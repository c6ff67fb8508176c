/**
 * What a request forbids changing: "don't touch X", "leave X alone", "hands off X", with lists and quotes. It is a
 * limit and never the target, and doesn't affect the verb. Standalone quoted text doesn't count as the user's
 * words.
 */
import { sparedPaths } from './spared-paths.ts';
import { worded } from './worded.ts';

interface Forbidden {
  /** What is forbidden, in the user's words. Undefined if nothing is. */
  readonly not?: string;
  /** The part that must not change in any way: its paths, and the order in the user's words. */
  readonly spared: { readonly paths: readonly string[]; readonly words: string };
  /** The request without it, with every other character at its position. */
  readonly rest: string;
}

const item = '(?:"[^"\\n]*"|`[^`\\n]*`|[^\\s,;!?"`]+)';
const orders =
  'then|fix|add|run|update|write|create|make|refactor|change|remove|delete|rename|move|implement|review|explain|test|document|format|commit|just|only|instead';
/** Between two words of one clause: no full stop before it, no other clause after it. */
const gap = `(?<![.:])\\s+(?!and\\s+(?:${orders})\\b|(?:then|but|when|while|because)\\b)`;
const listed = '"[^"\\n]*"|`[^`\\n]*`|[\\w.@-]*[/.][\\w./@*-]+';
/** Words up to the end of the clause. A comma continues it if a path or a quote follows. */
const things = `${item}(?:${gap}${item})*(?:,\\s*(?:(?:and|or|nor)\\s+)?(?:${listed})(?:${gap}${item})*)*`;
const sparing = worded(
  ['not', 'don', 'never', 'leave', 'hands off', 'keep'],
  new RegExp(
    `(?<![\\w"'\`])(?:(?:please\\s+)?(?:do not|don'?t|never|must not|may not|should not|shouldn'?t)\\s+(?:touch|change|edit|modify|alter|break|rename|move|mess with)\\s+(?!it\\b|them\\b|this\\b|that\\b|a thing\\b|any(?:thing)?\\b(?!\\s+(?:in|inside|under|below|within|of|outside)\\b))(?<a>${things})|leave\\s+(?!it\\b|them\\b|everything\\b|(?:the |all |my )?(?:files?|code)\\b)(?<b>${item}(?:\\s+(?!alone\\b)${item}){0,6})\\s+(?:alone|as is|as it is|as they are|untouched|unchanged)|hands off\\s+(?!the code\\b)(?<c>${things})|keep\\s+(?<d>${item}(?:\\s+${item}){0,4})\\s+(?:as is|as it is|untouched|unchanged))`,
    'i',
  ),
);

const untouched = worded(
  ['without'],
  new RegExp(`\\bwithout\\s+(?:touching|changing|editing|modifying|altering)\\s+(${things})`, 'i'),
);

/** Files that must not be moved may still be changed. */
const movingOnly = /\b(?:break|rename|move|mess with)\b/i;

/** `entries`: names in the session's folder. */
export function findForbidden(text: string, entries?: ReadonlySet<string>): Forbidden {
  const matches: string[] = [];
  const paths: string[] = [];
  const orders: string[] = [];
  let rest = text;
  const spare = (order: string, phrase: string) => {
    const named = sparedPaths(phrase, entries);
    if (named.length === 0) return;
    paths.push(...named);
    orders.push(order.trim());
  };
  for (let match = sparing.exec(rest); match !== null; match = sparing.exec(rest)) {
    const { a, b, c, d } = match.groups ?? {};
    const phrase = (a ?? b ?? c ?? d ?? '').replace(/[.:]+$/, '').trim();
    matches.push(phrase);
    if (!movingOnly.test(match[0])) spare(match[0], phrase);
    rest = `${rest.slice(0, match.index)}${' '.repeat(match[0].length)}${rest.slice(match.index + match[0].length)}`;
  }
  const withheld = untouched.exec(rest);
  if (withheld !== null) spare(withheld[0], withheld[1] ?? '');
  const spared = { paths: [...new Set(paths)], words: orders.join('; ') };
  return { ...(matches.length > 0 && { not: matches.join('; ') }), spared, rest };
}
