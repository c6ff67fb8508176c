/** The end of a reply, for lists and cards. */
import { oneLine } from './one-line.ts';

/** The last sentence of a reply, without Markdown marks and code blocks. */
export function lastSentence(text: string): string {
  const prose = plainProse(text);
  const line = prose.split('\n').findLast((one) => one.trim() !== '') ?? '';
  const last =
    line
      .trim()
      .split(/(?<=[.!?])\s+|(?<=[。！？])/)
      .findLast((one) => one.trim().length > 2) ?? line;
  return oneLine(last.trim());
}

/** Without Markdown marks and code blocks. */
export function plainProse(text: string): string {
  return proseOf(text).replaceAll('`', '');
}

/** The same, but short code keeps its marks. */
export function proseOf(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(```|$)/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(#{1,6}|[-*>]|\d+\.)\s+/gm, '')
    .replaceAll(/\*{1,3}/g, '')
    .replaceAll(/(?<=^|[\s(])_{1,3}(?=\S)|(?<=\S)_{1,3}(?=[\s).,!?:;]|$)/gm, '');
}
