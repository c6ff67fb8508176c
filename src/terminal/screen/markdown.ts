/** Renders Markdown as lines in the agent's colors. */
import { Markdown } from '@earendil-works/pi-tui';

import { highlight } from '../lines/highlight.ts';
import type { Glyphs } from '../glyphs.ts';
import type { Paint } from '../theme.ts';

export type MarkdownLines = (text: string, width: number) => readonly string[];

export function createMarkdown(paint: Paint, { bullet }: Pick<Glyphs, 'bullet'>): MarkdownLines {
  const theme = {
    heading: (text: string) => paint.strong(text),
    link: paint.underlined,
    linkUrl: paint.ink3,
    code: paint.band,
    codeBlock: (text: string) => text,
    codeBlockBorder: paint.ink3,
    quote: paint.slanted,
    quoteBorder: paint.ink3,
    hr: paint.rule,
    listBullet: (mark: string) => paint.ink2(mark.replace(/^- /, `${bullet} `)),
    bold: paint.strong,
    italic: paint.slanted,
    strikethrough: paint.struck,
    underline: paint.underlined,
    highlightCode: (code: string, language?: string) => [...highlight(code, language, paint)],
  };
  return (text, width) => {
    if (text.trim() === '') return [];
    const lines = new Markdown(text, 0, 0, theme, { color: paint.agent }).render(width);
    const last = lines.findLastIndex((line) => line.trim() !== '');
    return lines.slice(0, last + 1).map((line) => line.trimEnd());
  };
}
