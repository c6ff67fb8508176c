/**
 * Renders growing Markdown. Text before the last blank line outside a code block can't change any more and is drawn
 * once, so a long reply costs no more per token than a short one.
 */
import type { MarkdownLines } from './markdown.ts';

export interface StreamedMarkdown {
  lines(text: string, width: number): readonly string[];
}

export function createStreamedMarkdown(markdown: MarkdownLines): StreamedMarkdown {
  let settled = '';
  let atWidth = 0;
  let drawn: string[] = [];

  return {
    lines(text, width) {
      if (width !== atWidth || !text.startsWith(settled)) {
        settled = '';
        drawn = [];
        atWidth = width;
      }
      const end = settledEnd(text, settled.length);
      if (end > settled.length) {
        const piece = markdown(text.slice(settled.length, end), width);
        if (drawn.length > 0 && piece.length > 0) drawn.push('');
        drawn.push(...piece);
        settled = text.slice(0, end);
      }
      const tail = markdown(text.slice(settled.length), width);
      return drawn.length > 0 && tail.length > 0 ? [...drawn, '', ...tail] : [...drawn, ...tail];
    },
  };
}

/** Finds the end of the last finished block. `from` is a known block end. */
function settledEnd(text: string, from: number): number {
  let end = from;
  let fence: string | undefined;
  let at = from;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    if (lineEnd === -1) break;
    const line = text.slice(at, lineEnd);
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark !== undefined && mark.startsWith(fence)) fence = undefined;
    const next = text[lineEnd + 1];
    // An indented line, or one that continues a list, belongs to the block above it.
    const goesOn =
      next === undefined || /[\s>|]/.test(next) || /^([-*+]|\d+[.)]) /.test(text.slice(lineEnd + 1, lineEnd + 8));
    if (fence === undefined && line.trim() === '' && !goesOn) end = lineEnd + 1;
    at = lineEnd + 1;
  }
  return end;
}
