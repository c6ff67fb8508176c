/**
 * What a request says must be left as it is: "don't touch X", "leave X alone", "hands off X", with lists and quotes.
 * It is a limit and never the target, and says nothing about which verb is meant. What stands in quotes by itself is
 * not said by the person.
 */
import { sparedPaths } from './spared-paths.ts';
import { worded } from './worded.ts';

export interface Forbidden {
  /** What is forbidden, in the person's words; undefined where nothing is. */
  readonly not?: string;
  /** What of it is not to be changed in any way: its paths, and the order in the person's words. */
  readonly spared: { readonly paths: readonly string[]; readonly words: string };
  /** The request without it, every other character where it was. */
  readonly rest: string;
}

const item = '(?:"[^"\\n]*"|`[^`\\n]*`|[^\\s,;!?"`]+)';
const orders =
  'then|fix|add|run|update|write|create|make|refactor|change|remove|delete|rename|move|implement|review|explain|test|document|format|commit|just|only|instead';
/** Between two words of one clause: no full stop before, no other clause behind. */
const gap = `(?<![.:])\\s+(?!and\\s+(?:${orders})\\b|(?:then|but|when|while|because)\\b)`;
const listed = '"[^"\\n]*"|`[^`\\n]*`|[\\w.@-]*[/.][\\w./@*-]+';
/** Words up to the end of the clause; a comma goes on where a path or a quote follows. */
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

/** What may not be moved may still be changed. */
const movingOnly = /\b(?:break|rename|move|mess with)\b/i;

/** `entries`: names in the session's folder. */
export function findForbidden(text: string, entries?: ReadonlySet<string>): Forbidden {
  const found: string[] = [];
  const paths: string[] = [];
  const orders: string[] = [];
  let rest = text;
  const spare = (order: string, said: string) => {
    const named = sparedPaths(said, entries);
    if (named.length === 0) return;
    paths.push(...named);
    orders.push(order.trim());
  };
  for (let match = sparing.exec(rest); match !== null; match = sparing.exec(rest)) {
    const { a, b, c, d } = match.groups ?? {};
    const said = (a ?? b ?? c ?? d ?? '').replace(/[.:]+$/, '').trim();
    found.push(said);
    if (!movingOnly.test(match[0])) spare(match[0], said);
    rest = `${rest.slice(0, match.index)}${' '.repeat(match[0].length)}${rest.slice(match.index + match[0].length)}`;
  }
  const withheld = untouched.exec(rest);
  if (withheld !== null) spare(withheld[0], withheld[1] ?? '');
  const spared = { paths: [...new Set(paths)], words: orders.join('; ') };
  return { ...(found.length > 0 && { not: found.join('; ') }), spared, rest };
}
