/**
 * A menu entry's description with a note at its right. The editor's menu knows one text per entry, so the two travel
 * as one, with a mark between them that no text has.
 */
const mark = '\u001F';

export function menuText(summary: string, note: string): string {
  const text = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`;
  return note === '' ? text : `${text}${mark}${note}`;
}

export function menuParts(line: string): { readonly left: string; readonly note: string } {
  const [left = '', note = ''] = line.split(mark);
  return { left, note };
}
