/** Short Markdown in which external text is bounded and escaped. */
import { counted } from '../wording/counted.ts';

interface BlockOptions {
  readonly language?: string;
  readonly lines?: number;
  readonly characters?: number;
}

/** A fenced block with the start of the text and the number of omitted lines. */
export function codeBlock(
  text: string,
  { language = '', lines = 40, characters = 4_000 }: BlockOptions = {},
): string {
  const all = text.split('\n');
  const rows: string[] = [];
  let size = 0;
  for (const line of all.slice(0, lines)) {
    const cut = line.length > 240 ? `${line.slice(0, 239)}…` : line;
    size += cut.length + 1;
    if (size > characters && rows.length > 0) break;
    rows.push(cut);
  }
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const left = all.length - rows.length;
  return [
    `${fence}${language}`,
    ...rows,
    fence,
    ...(left > 0 ? [`… and ${counted(left, 'more line')}.`] : []),
  ].join('\n');
}

/** Inline code on one line. */
export function code(text: string): string {
  const line = shortened(text, 120);
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

export function bullets(entries: readonly string[], most = 10): string {
  const items = entries.slice(0, most).map((entry) => `- ${entry}`);
  const left = entries.length - items.length;
  return [...items, ...(left > 0 ? [`- … and ${left} more`] : [])].join('\n');
}

export function shortened(text: string, most: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}
