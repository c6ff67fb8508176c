/** How two texts differ line by line. */
import { align } from './align.ts';

export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

const mostCompared = 2000;

/** The minimal line diff. Texts too long to compare are shown as all old, then all new. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end += 1;
  const middle = changesBetween(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  const same = (text: string): DiffLine => ({ type: 'same', text });
  return numbered([...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)]);
}

export function changeCounts(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter(({ type }) => type === 'added').length,
    removed: lines.filter(({ type }) => type === 'removed').length,
  };
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function changesBetween(old: readonly string[], fresh: readonly string[]): readonly DiffLine[] {
  if (old.length > mostCompared || fresh.length > mostCompared || old.length * fresh.length > 1_000_000)
    return [
      ...old.map((text): DiffLine => ({ type: 'removed', text })),
      ...fresh.map((text): DiffLine => ({ type: 'added', text })),
    ];
  let row = 0;
  let column = 0;
  return align(old, fresh).map((type): DiffLine => {
    if (type === 'added') return { type, text: fresh[column++] ?? '' };
    if (type === 'same') column += 1;
    return { type, text: old[row++] ?? '' };
  });
}

function numbered(lines: readonly DiffLine[]): readonly DiffLine[] {
  let before = 1;
  let after = 1;
  return lines.map((line) => {
    switch (line.type) {
      case 'same':
        return { ...line, before: before++, after: after++ };
      case 'removed':
        return { ...line, before: before++ };
      case 'added':
        return { ...line, after: after++ };
      case 'hunk':
        return line;
    }
  });
}
