import { terminalColumns, cutToColumns } from './columns.ts';
import type { Terminal, Tone } from './terminal-style.ts';
import { printable } from '../views/printable.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Shortened if the terminal is too narrow: of several, the widest first. */
  readonly gives?: boolean;
}

export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

/** A row of a table. */
export type Row = readonly (string | Cell)[];

/**
 * On a terminal, aligned and with a header. In a pipe, one line per row, tab-separated and complete. A plain column
 * is its title.
 */
export function tableText(titles: readonly (string | Column)[], rows: readonly Row[], terminal: Terminal): string {
  const columns = titles.map((column): Column => (typeof column === 'string' ? { title: column } : column));
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)));
  if (!terminal.isTerminal) {
    return cells.map((row) => row.map(({ text }) => printable(text.replace(/\s+/g, ' '))).join('\t')).join('\n');
  }
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((row) => terminalColumns(printable(row[index]?.text ?? '')))),
  );
  const giving = columns.flatMap(({ gives }, index) => (gives === true ? [index] : []));
  for (let over = widths.reduce((sum, width) => sum + width + 2, -2) - terminal.width; over > 0; over -= 1) {
    const widest = giving.reduce(
      (best, index) => ((widths[index] ?? 0) > (widths[best] ?? 0) ? index : best),
      giving[0] ?? -1,
    );
    if ((widths[widest] ?? 0) <= 8) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const line = (row: readonly Cell[]) =>
    row
      .map(({ text, tone }, index) => {
        const fitted = fit(printable(text), widths[index] ?? 0, columns[index]?.align ?? 'left');
        return tone === undefined ? fitted : terminal.paint[tone](fitted);
      })
      .join('  ')
      .trimEnd();
  const head: readonly Cell[] = columns.map(({ title }) => ({ text: title, tone: 'quiet' }));
  return [head, ...cells].map(line).join('\n');
}

function fit(text: string, width: number, align: 'left' | 'right'): string {
  const short = cutToColumns(text, width);
  const room = ' '.repeat(Math.max(0, width - terminalColumns(short)));
  return align === 'left' ? `${short}${room}` : `${room}${short}`;
}
