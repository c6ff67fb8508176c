import { lineDiff, type DiffLine } from '../../../kernel/line-diff.ts';
import { withContext } from '../../../views/line-diff.ts';

/**
 * A patch as git writes it. Without `before`, the file is new. The lines of a part of a file are counted from its
 * beginning, and its end isn't the end of the file.
 */
export function gitPatch(file: string, before: string | undefined, after: string, of: 'whole' | 'part'): string {
  const name = file.replace(/^\/+/, '');
  const mark = of === 'whole' ? markedEnd : (text: string) => text;
  const lines = withContext(lineDiff(mark(before ?? ''), mark(after)));
  return [
    `diff --git a/${name} b/${name}\n`,
    before === undefined ? 'new file mode 100644\n--- /dev/null\n' : `--- a/${name}\n`,
    `+++ b/${name}\n`,
    ...hunksOf(lines).map((hunk) => hunkText(hunk)),
  ].join('');
}

function hunksOf(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const hunks: DiffLine[][] = [[]];
  for (const line of lines) {
    if (line.type === 'hunk') hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  return hunks.filter((hunk) => hunk.length > 0);
}

function hunkText(lines: readonly DiffLine[]): string {
  const range = (side: 'before' | 'after') => {
    const numbers = lines.flatMap((line) => line[side] ?? []);
    // A side without lines is empty: the change has no context.
    return `${numbers[0] ?? 0},${numbers.length}`;
  };
  return [`@@ -${range('before')} +${range('after')} @@\n`, ...lines.map(lineText)].join('');
}

function lineText({ type, text }: DiffLine): string {
  const sign = type === 'added' ? '+' : type === 'removed' ? '-' : ' ';
  if (!text.endsWith(OPEN)) return `${sign}${text}\n`;
  return `${sign}${text.slice(0, -OPEN.length)}\n\\ No newline at end of file\n`;
}

/** A last line without a line break differs from one with it. */
function markedEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : text + OPEN;
}

const OPEN = '\u0000';
