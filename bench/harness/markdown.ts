export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

export function tableToMarkdown({ title, head, rows }: Table): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cellToText).join(' | ')} |`;
  const rule = `|${head.map((_, index) => (index === 0 ? '---' : '---:')).join('|')}|`;
  return [`**${title}**`, '', line(head), rule, ...rows.map(line)].join('\n');
}

export function cellToText(cell: string | number): string {
  return typeof cell === 'string' ? cell : numberToText(cell);
}

function numberToText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
