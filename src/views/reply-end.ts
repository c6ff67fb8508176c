/** The end of a reply, for lists and cards. */
import { oneLine } from './one-line.ts';

/**
 * The last paragraph of a reply from its beginning, with the heading or the line that introduces it, without Markdown
 * marks and code blocks. A sentence alone can say the opposite of its text: "None of these works:" before a list,
 * "Not done" above a paragraph, a negation on the line before. What is left out is at the end, marked by "…".
 */
export function replyEnd(text: string): string {
  const blocks = text
    .replaceAll(codeBlock, '\n\n')
    .split(/\n\s*\n|(?<=^|\n)(?=\s*#)|(?<=(?:^|\n)\s*#[^\n]*)\n/)
    .map((block) => block.trim())
    .filter((block) => /[\p{L}\p{N}]/u.test(block));
  let first = blocks.length - 1;
  while (first > 0 && (listItem.test(blocks[first] ?? '') || introduces(blocks[first - 1] ?? ''))) first -= 1;
  return oneLine(blocks.slice(Math.max(0, first)).map(flat).join(' ').replace(/;$/, ''));
}

const codeBlock = /```[\s\S]*?(```|$)/g;
const listItem = /^(?:[-*+]|\d+[.)])\s/;

function introduces(block: string): boolean {
  return block.startsWith('#') || /[:：]\W*$/u.test(block);
}

/** A block on one line: an introduction ends with a colon, and list items are separated. */
function flat(block: string): string {
  const items = block.split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/);
  return items
    .map((item) => ended(plainProse(item).trim(), introduces(item) ? ':' : listItem.test(item) ? ';' : ''))
    .join(' ');
}

function ended(text: string, mark: string): string {
  return /[\p{L}\p{N})]$/u.test(text) ? text + mark : text;
}

/** Without Markdown marks and code blocks. */
export function plainProse(text: string): string {
  return proseOf(text).replaceAll('`', '');
}

/** The same, but short code keeps its marks. */
export function proseOf(text: string): string {
  const prose = text
    .replaceAll(codeBlock, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(#{1,6}|[-*>]|\d+\.)\s+/gm, '')
    .replaceAll(/(?<=^|[\s(])_{1,3}(?=\S)|(?<=\S)_{1,3}(?=[\s).,!?:;]|$)/gm, '');
  return unstressed(unstressed(prose));
}

/** Without the stars around stressed words. The star of a pattern, as in `shell(*)` or `*.ts`, is text. */
function unstressed(text: string): string {
  return text.replaceAll(stressed, (_, code?: string, _marks?: string, words?: string) => code ?? words ?? '');
}

const stressed =
  /(`[^`\n]*`)|(?<![\p{L}\p{N}*])(\*{1,3})(?=[\p{L}\p{N}`"'“‘_[(<*])((?:(?!\n\s*\n)[^]){0,1000}?\S)\2(?![\p{L}\p{N}*])/gu;
