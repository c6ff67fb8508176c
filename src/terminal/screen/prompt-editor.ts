/** The editor without its own borders: the title rule and the footer's rule frame it. Its menu goes above the rule. */
import { CURSOR_MARKER, Editor } from '@earendil-works/pi-tui';

import { withVisible } from '../../views/printable.ts';
import { wrapped } from '../lines/fit.ts';

export const menuRows = 8;
/** Of a draft whose codes take more rows than its text. */
const mostCodeRows = 8;
/** The editor's blanks on either side. */
export const promptPadding = 2;

const border = '\u0000';

export interface PromptLines {
  readonly text: readonly string[];
  readonly menu: readonly string[];
}

export class PromptEditor extends Editor {
  protected override renderTopBorder(): string {
    return border;
  }

  protected override renderBottomBorder(): string {
    return border;
  }

  /** The draft, and the menu of completions if one is open. */
  parts(width: number): PromptLines {
    const lines = this.render(width);
    const end = lines.lastIndexOf(border);
    return { text: withCodes(lines.slice(1, end), width), menu: lines.slice(end + 1) };
  }
}

/** Pasted characters that reorder or hide others appear as their codes. The draft, and what is sent, keeps them. */
function withCodes(rows: readonly string[], width: number): readonly string[] {
  const shown = rows.map(withVisible);
  if (shown.every((row, index) => row === rows[index])) return rows;
  const indent = ' '.repeat(promptPadding);
  const all = shown.flatMap((row) =>
    wrapped(row.slice(promptPadding).trimEnd(), Math.max(1, width - promptPadding), indent, indent),
  );
  const most = Math.max(mostCodeRows, rows.length);
  const cursor = all.findIndex((row) => row.includes(CURSOR_MARKER) || row.includes('\u001B[7m'));
  const first = Math.min(Math.max(0, cursor - most + 1), Math.max(0, all.length - most));
  return all.slice(first, first + most);
}

/** `(3/31)` as the number of entries beyond the rows on the screen. */
export function moreText(position: string): string {
  return position.replace(/\(\d+\/(\d+)\)/, (_, total: string) => `${Number(total) - menuRows} more`);
}
