import { withVisible } from './printable.ts';

const longest = 120;
/** Of a line that is cut in its middle: what is kept of its end. */
const end = 40;
/** Nearly every text is: words of plain letters with one space between. */
const isPlain = /^[!-~]+(?: [!-~]+)*$/;

/** A text's opening on one line, for lists and status lines: no line breaks, nothing that cannot be seen. */
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

/** The same for what a person decides about: a long text is cut in its middle, so that its end is seen. */
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
