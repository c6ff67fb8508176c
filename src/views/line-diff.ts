/** Line diffs: computed from two texts, or parsed from a unified diff. */
import { align } from './align.ts';

export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'hunk';
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

interface FileDiff {
  readonly path: string;
  readonly was?: string;
  readonly state: 'changed' | 'added' | 'removed' | 'renamed' | 'binary';
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
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

/** Keeps only a few unchanged lines around each change. */
export function withContext(lines: readonly DiffLine[], around = 3): readonly DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ type }) => type !== 'same'),
  );
  return lines.flatMap((line, index): readonly DiffLine[] => {
    if (isNear[index] === true) return [line];
    const isFirstLeftOut = index === 0 || isNear[index - 1] === true;
    return isFirstLeftOut ? [{ type: 'hunk', text: '⋯' }] : [];
  });
}

export function parseUnifiedDiff(text: string): readonly FileDiff[] {
  const files: FileDiff[] = [];
  let lines: DiffLine[] = [];
  let head: Head | undefined;
  let before = 0;
  let after = 0;
  let isInHunk = false;

  const close = () => {
    if (head !== undefined) files.push({ ...head, ...changeCounts(lines), lines });
    lines = [];
    isInHunk = false;
  };
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const git = /^diff --git a\/(.+) b\/(.+)$/.exec(line);
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
    if (git !== null) {
      close();
      head = { path: git[2] ?? '', state: 'changed' };
    } else if (hunk !== null) {
      isInHunk = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.push({ type: 'hunk', text: (hunk[3] ?? '').trim() });
    } else if (isInHunk && line.startsWith('+'))
      lines.push({ type: 'added', text: line.slice(1), after: after++ });
    else if (isInHunk && line.startsWith('-'))
      lines.push({ type: 'removed', text: line.slice(1), before: before++ });
    else if (isInHunk && (line.startsWith(' ') || line === ''))
      lines.push({ type: 'same', text: line.slice(1), before: before++, after: after++ });
    else if (!isInHunk) head = headWith(head, line);
  }
  close();
  return files;
}

export function isUnifiedDiff(text: string): boolean {
  return /^diff --git /m.test(text) || (/^--- /m.test(text) && /^\+\+\+ /m.test(text) && /^@@ -/m.test(text));
}

export function changeCounts(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter(({ type }) => type === 'added').length,
    removed: lines.filter(({ type }) => type === 'removed').length,
  };
}

type Head = { path: string; was?: string; state: FileDiff['state'] };

function headWith(head: Head | undefined, line: string): Head | undefined {
  if (line.startsWith('--- ') && head === undefined) return { path: nameIn(line), state: 'changed' };
  if (line.startsWith('+++ ') && head !== undefined) {
    const path = nameIn(line);
    return path === '/dev/null' ? { ...head, state: 'removed' } : { ...head, path };
  }
  if (line.startsWith('--- ') && head !== undefined) {
    if (nameIn(line) === '/dev/null') return { ...head, state: 'added' };
    return head;
  }
  if (head === undefined) return head;
  if (line.startsWith('new file')) return { ...head, state: 'added' };
  if (line.startsWith('deleted file')) return { ...head, state: 'removed' };
  if (line.startsWith('rename from '))
    return { ...head, state: 'renamed', was: line.slice('rename from '.length) };
  if (line.startsWith('Binary files')) return { ...head, state: 'binary' };
  return head;
}

function nameIn(line: string): string {
  const name = line.slice(4).split('\t')[0] ?? '';
  return name.replace(/^[ab]\//, '');
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
