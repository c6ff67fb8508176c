import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';

/** Truncates to one line of at most `width` columns. */
export function cut(line: string, width: number): string {
  return visibleWidth(line) <= width ? line : truncateToWidth(line, width, '…');
}

/** Wraps text. Each line starts with `first` or `rest`, which must have the same width. */
export function wrapped(text: string, width: number, first = '', rest = first): readonly string[] {
  const room = Math.max(1, width - visibleWidth(first));
  const lines = text.split('\n').flatMap((line) => wrapTextWithAnsi(line, room));
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}

/** Text at both ends of a line. Drops the right one if there is no room. */
export function spread(left: string, right: string, width: number): string {
  const room = width - visibleWidth(left) - visibleWidth(right);
  return room < 1 ? cut(left, width) : `${left}${' '.repeat(room)}${right}`;
}
