/** Replies that consist of one kind of Markdown, streamed at a fixed rate. */
const words =
  'the agent reads every file of the project and counts the lines that changed since the last run'.split(' ');

export const markdownKinds = ['prose', 'list', 'table', 'code', 'quote', 'everything'] as const;
export type MarkdownKind = (typeof markdownKinds)[number];

const lineOf: Readonly<Record<Exclude<MarkdownKind, 'everything'>, (line: number) => string>> = {
  prose: (line) => `${sentence(line)}${line % 4 === 3 ? '\n\n' : ' '}`,
  list: (line) => `${line + 1}. **${sentence(line)}**\n`,
  table: (line) =>
    `${line === 0 ? '| file | what it does |\n|---|---|\n' : ''}| src/part-${line}.ts | ${sentence(line)} |\n`,
  code: (line) => `${line === 0 ? '```ts\n' : ''}const value${line} = '${sentence(line)}';\n`,
  quote: (line) =>
    `${line % 8 === 0 ? `\n## Part ${line}\n\n` : ''}> ${sentence(line)} with \`code\` and [a link](https://example.org)\n`,
};

/** Pieces of a reply. A token is a word; ten of them are one piece if the rate is too high for a timer. */
export function replyOf(
  kind: MarkdownKind,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): { readonly text: readonly string[]; readonly chunkMs: number } {
  const perPiece = rate > 200 ? 10 : 1;
  const tokens = rate * seconds;
  const kinds = kind === 'everything' ? (['prose', 'list', 'table', 'code', 'quote'] as const) : [kind];
  const text = kinds
    .map((one) => `${linesOf(one, tokens / kinds.length)}${one === 'code' ? '```\n' : ''}\n`)
    .join('\n');
  const pieces = text.match(new RegExp(`(?:\\S+\\s*){1,${perPiece}}`, 'g')) ?? [];
  return { text: [...pieces, '\n\nThe end.'], chunkMs: (1000 / rate) * perPiece };
}

function linesOf(kind: keyof typeof lineOf, tokens: number): string {
  return Array.from({ length: Math.max(1, Math.round(tokens / words.length)) }, (_, line) =>
    lineOf[kind](line),
  ).join('');
}

function sentence(line: number): string {
  const at = line % words.length;
  return [...words.slice(at), ...words.slice(0, at)].join(' ');
}
