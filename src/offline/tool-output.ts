/** Parses the output of built-in tools. Notes are whole lines in square brackets at the end. */

interface Listed {
  readonly lines: readonly string[];
  readonly notes: readonly string[];
  /** There are more than these. */
  readonly isCut: boolean;
}

export function listed(output: string): Listed {
  const lines = output.split('\n');
  const notes: string[] = [];
  while (/^\[.*\]$/.test(lines.at(-1) ?? '')) notes.unshift(lines.pop() ?? '');
  return {
    lines: lines.filter((line) => line !== ''),
    notes,
    isCut: notes.some((note) => /Only the first|Stopped after/.test(note)),
  };
}

export interface ReadPage {
  readonly lines: readonly string[];
  /** The number of the first line. */
  readonly from: number;
  /** The file's line count, if the page states it. */
  readonly total?: number;
  /** Where the next page begins. */
  readonly next?: number;
  /** Writing it back would change the file. */
  readonly isLossy: boolean;
}

export function readPage(output: string): ReadPage {
  const all = output.split('\n');
  const numbered = all.flatMap((line) => {
    const match = /^(\d+)\t([\s\S]*)$/.exec(line);
    return match === null ? [] : [{ number: Number(match[1]), text: match[2] ?? '' }];
  });
  const more = all.findLast((line) => /^\[Lines .*Read on with offset \d+/.test(line));
  const total = /of (\d+)\. Read on/.exec(more ?? '')?.[1];
  const next = /offset (\d+)/.exec(more ?? '')?.[1];
  return {
    lines: numbered.map(({ text }) => text),
    from: numbered[0]?.number ?? 1,
    ...(total !== undefined ? { total: Number(total) } : next === undefined && endOf(numbered)),
    ...(next !== undefined && { next: Number(next) }),
    isLossy:
      all.some((line) => line.startsWith('[Format: ')) ||
      numbered.some(({ text }) => text.endsWith('… [line cut]') || text.includes('[redacted]')),
  };
}

function endOf(numbered: readonly { readonly number: number }[]): { readonly total: number } {
  return { total: numbered.at(-1)?.number ?? 0 };
}
