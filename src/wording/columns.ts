/**
 * How many columns a terminal gives a text: two for East Asian wide characters and emoji, none for marks that combine
 * with the character before them.
 */
const plain = /^[\u0020-\u007E\u00A1-\u02FF\u2010-\u2027\u2190-\u21FF\u2500-\u25FC]*$/;
const wide =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFD}]|^\p{Emoji_Presentation}|\uFE0F/u;
const bare = /^[\p{M}\p{Cf}]+$/u;
const graphemes = new Intl.Segmenter();

export function terminalColumns(text: string): number {
  if (plain.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += widthOf(segment);
  return columns;
}

/** With `…` where it had to be cut. */
export function cutToColumns(text: string, most: number): string {
  if (terminalColumns(text) <= most) return text;
  let cut = '';
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += widthOf(segment);
    if (columns > most - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

function widthOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return bare.test(grapheme) ? 0 : 1;
}
