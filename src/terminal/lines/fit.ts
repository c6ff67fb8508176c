import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';

import { withoutIsolates } from '../../wording/isolates.ts';

/** Truncates to one line of at most `width` columns. */
export function cut(line: string, width: number): string {
  return visibleWidth(line) <= width ? line : truncateToWidth(line, width, '…');
}

/** Without styles, links and isolates. */
export function withoutStyles(line: string): string {
  // oxlint-disable-next-line no-control-regex -- styles and links are what is removed
  return withoutIsolates(line.replaceAll(/\u001B\[[\d;:]*m|\u001B\]8;[^\u0007\u001B]*(?:\u0007|\u001B\\)/g, ''));
}

/** Wraps text. Each line starts with `first` or `rest`, which must have the same width. */
export function wrapped(text: string, width: number, first = '', rest = first): readonly string[] {
  const room = Math.max(1, width - visibleWidth(first));
  const lines = text
    .split('\n')
    .flatMap((line) => wrapTextWithAnsi(line, room).map((row, index) => (index === 0 ? row : withoutGap(row))));
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}

/** A row that begins with the blank behind a style's end, because the row above is full, without the blank. */
export function withoutGap(row: string): string {
  // oxlint-disable-next-line no-control-regex -- ends of bold, slanted, underlined, reversed, color, ground
  return row.replace(/^( *(?:\u001B\[[\d;]*m)*\u001B\[(?:2[2-79]|39|49)m) (?=\S)/, '$1');
}

/** Text at both ends of a line. Drops the right one if there is no room. */
export function spread(left: string, right: string, width: number): string {
  const room = width - visibleWidth(left) - visibleWidth(right);
  return room < 1 ? cut(left, width) : `${left}${' '.repeat(room)}${right}`;
}

/** Fills a line with blanks, so that a ground covers all of it. */
export function padded(line: string, width: number): string {
  return `${line}${' '.repeat(Math.max(0, width - visibleWidth(line)))}`;
}

/** Shortens a path from the left and keeps the file's name. */
export function shortPath(path: string, width: number): string {
  if (visibleWidth(path) <= width) return path;
  const parts = path.split('/');
  for (let from = 1; from < parts.length; from += 1) {
    const shown = `…/${parts.slice(from).join('/')}`;
    if (visibleWidth(shown) <= width) return shown;
  }
  return cut(parts.at(-1) ?? path, width);
}
