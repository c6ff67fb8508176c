const longest = 120;

/** A text's opening on one line, for lists and status lines: no line breaks, no control characters. */
export function oneLine(text: string): string {
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
