/** Line diffs as they are shown: with a few lines of context, or parsed from a unified diff. */
import { changeCounts, type DiffLine } from '../kernel/line-diff.ts';

interface FileDiff {
  readonly path: string;
  readonly was?: string;
  readonly state: 'changed' | 'added' | 'removed' | 'renamed' | 'binary';
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
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
