/** Renders Markdown as lines in the agent's colors. */
import { Markdown } from '@earendil-works/pi-tui';

import { withoutGap } from '../lines/fit.ts';
import { highlight } from '../lines/highlight.ts';
import { withoutOddLinks } from '../lines/safe-lines.ts';
import type { Glyphs } from '../glyphs.ts';
import type { Paint } from '../theme.ts';

/** Replaces the marks around a code block, which its indent already sets apart. */
const fence = '\uE000fence';

export type MarkdownLines = (text: string, width: number) => readonly string[];

export function createMarkdown(paint: Paint, { bullet }: Pick<Glyphs, 'bullet'>): MarkdownLines {
  const theme = {
    heading: (text: string) => paint.strong(text),
    link: paint.underlined,
    linkUrl: paint.ink3,
    code: paint.band,
    codeBlock: (text: string) => text,
    codeBlockBorder: () => fence,
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
    const drawn = new Markdown(text.replaceAll(fence, ''), 0, 0, theme, { color: paint.agent }).render(width);
    const lines = drawn.filter((line) => !line.includes(fence)).map((line) => withoutGap(withoutOddLinks(line)));
    const last = lines.findLastIndex((line) => line.trim() !== '');
    return lines.slice(0, last + 1).map((line) => line.trimEnd());
  };
}
