/** The editor without its own borders: the title rule and the footer's rule frame it. Its menu goes above the rule. */
import { Editor } from '@earendil-works/pi-tui';

export const menuRows = 8;

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
    return { text: lines.slice(1, end), menu: lines.slice(end + 1) };
  }
}

/** `(3/31)` as the number of entries beyond the rows on the screen. */
export function moreText(position: string): string {
  return position.replace(/\(\d+\/(\d+)\)/, (_, total: string) => `${Number(total) - menuRows} more`);
}
