const longest = 120;
/** Nearly every text is: words of plain letters with one space between. */
const isPlain = /^[!-~]+(?: [!-~]+)*$/;

/** A text's opening on one line, for lists and status lines: no line breaks, no control characters. */
export function oneLine(text: string): string {
  if (text.length <= longest && isPlain.test(text)) return text;
  const opening = text.slice(0, 4 * longest);
  const line = opening.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const isWhole = line.length <= longest && opening.length === text.length;
  return isWhole
    ? line
    : `${line
        .slice(0, longest - 1)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`;
}
