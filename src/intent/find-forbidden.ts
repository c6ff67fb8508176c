/**
 * What a request says must be left as it is: "don't touch X", "leave X alone", "hands off X", with lists and quotes.
 * It is a limit and never the target, and says nothing about which verb is meant. What stands in quotes by itself is
 * not said by the person.
 */
import { findPaths } from './paths.ts';
import { worded } from './worded.ts';

export interface Forbidden {
  /** What is forbidden, in the person's words; undefined where nothing is. */
  readonly not?: string;
  /** Paths in it that are not to be changed in any way. */
  readonly paths: readonly string[];
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
const spared = worded(
  ['not', 'don', 'never', 'leave', 'hands off', 'keep'],
  new RegExp(
    `(?<![\\w"'\`])(?:(?:please\\s+)?(?:do not|don'?t|never|must not|may not|should not|shouldn'?t)\\s+(?:touch|change|edit|modify|alter|break|rename|move|mess with)\\s+(?!it\\b|them\\b|this\\b|that\\b|a thing\\b|any(?:thing)?\\b(?!\\s+(?:in|inside|under|below|within|of|outside)\\b))(?<a>${things})|leave\\s+(?!it\\b|them\\b|everything\\b|(?:the |all |my )?(?:files?|code)\\b)(?<b>${item}(?:\\s+(?!alone\\b)${item}){0,6})\\s+(?:alone|as is|as it is|as they are|untouched|unchanged)|hands off\\s+(?!the code\\b)(?<c>${things})|keep\\s+(?<d>${item}(?:\\s+${item}){0,4})\\s+(?:as is|as it is|untouched|unchanged))`,
    'i',
  ),
);

/** What may not be moved may still be changed. */
const movingOnly = /\b(?:break|rename|move|mess with)\b/i;

export function findForbidden(text: string): Forbidden {
  const found: string[] = [];
  const paths: string[] = [];
  let rest = text;
  for (let match = spared.exec(rest); match !== null; match = spared.exec(rest)) {
    const { a, b, c, d } = match.groups ?? {};
    const said = (a ?? b ?? c ?? d ?? '').replace(/[.:]+$/, '').trim();
    found.push(said);
    if (!movingOnly.test(match[0])) paths.push(...findPaths(said));
    rest = `${rest.slice(0, match.index)}${' '.repeat(match[0].length)}${rest.slice(match.index + match[0].length)}`;
  }
  return { ...(found.length > 0 && { not: found.join('; ') }), paths, rest };
}
