import { withVisible } from './printable.ts';

const longest = 120;
/** How much of its end a line keeps when it is cut in the middle. */
const end = 40;
/** Matches nearly every text: plain ASCII words with single spaces. */
const isPlain = /^[!-~]+(?: [!-~]+)*$/;

/** A text's beginning on one line, for lists and status lines: no line breaks, no invisible characters. */
export function oneLine(text: string): string {
  if (text.length <= longest && isPlain.test(text)) return text;
  const opening = text.slice(0, 4 * longest);
  const line = lineOf(opening);
  const isWhole = line.length <= longest && opening.length === text.length;
  return isWhole
    ? line
    : `${line
        .slice(0, longest - 1)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`;
}

/** The same for text that a person decides about: long text is cut in the middle, so that its end stays visible. */
export function oneLineWithEnd(text: string): string {
  if (text.length <= longest && isPlain.test(text)) return text;
  const line = lineOf(text.slice(0, 100 * longest));
  if (line.length <= longest) return line;
  const opening = line.slice(0, longest - end - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${opening.trimEnd()}…${line
    .slice(-end)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .trimStart()}`;
}

function lineOf(text: string): string {
  return withVisible(text.replace(/[\p{Cc}\s]+/gu, ' ').trim());
}
