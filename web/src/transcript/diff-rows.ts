/** Lines of a diff prepared for display: what changed inside a line, and both sides beside each other. */
import type { DiffLine } from '../../../src/kernel/line-diff.ts';
import { visibleText } from '../../../src/views/visible-text.ts';
import { wordDiff, type TextSpan } from '../../../src/views/word-diff.ts';
import type { CodePiece } from '../markdown/highlight.ts';

export interface DiffRow {
  readonly line: DiffLine;
  /** The line's place among all lines. */
  readonly index: number;
  readonly changed: readonly TextSpan[];
}

interface SplitRow {
  readonly left: DiffRow | undefined;
  readonly right: DiffRow | undefined;
}

/** Pairs each removed line with the added one that takes its place. */
export function diffRows(lines: readonly DiffLine[]): readonly DiffRow[] {
  const rows = lines.map((line, index) => ({ line, index, changed: [] as readonly TextSpan[] }));
  for (const { removed, added } of runsOf(rows))
    for (const [at, old] of removed.entries()) {
      const fresh = added[at];
      if (fresh === undefined) break;
      const { before, after } = wordDiff(old.line.text, fresh.line.text);
      old.changed = before;
      fresh.changed = after;
    }
  return rows;
}

export function splitRows(rows: readonly DiffRow[]): readonly SplitRow[] {
  const split: SplitRow[] = [];
  const runs = new Map(runsOf(rows).map((run) => [run.from, run]));
  let at = 0;
  while (at < rows.length) {
    const row = rows[at];
    const run = runs.get(at);
    if (run === undefined) {
      split.push({ left: row, right: row });
      at += 1;
    } else {
      const { removed, added } = run;
      for (let pair = 0; pair < Math.max(removed.length, added.length); pair += 1)
        split.push({ left: removed[pair], right: added[pair] });
      at += removed.length + added.length;
    }
  }
  return split;
}

interface Run<Row> {
  readonly from: number;
  readonly removed: readonly Row[];
  readonly added: readonly Row[];
}

/** Neighbouring removed lines followed by added ones. */
function runsOf<Row extends DiffRow>(rows: readonly Row[]): readonly Run<Row>[] {
  const runs: Run<Row>[] = [];
  for (let at = 0; at < rows.length;) {
    const from = at;
    while (rows[at]?.line.type === 'removed') at += 1;
    const middle = at;
    while (rows[at]?.line.type === 'added') at += 1;
    if (at === from) at += 1;
    else runs.push({ from, removed: rows.slice(from, middle), added: rows.slice(middle, at) });
  }
  return runs;
}

interface DiffPiece extends CodePiece {
  readonly isChanged: boolean;
}

/** The line's text as colored pieces, cut where a change begins or ends. */
export function diffPieces(
  { line, changed }: DiffRow,
  code: readonly CodePiece[] | undefined,
): readonly DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let at = 0;
  for (const { text, className } of code ?? [{ text: line.text, className: '' }]) {
    const end = at + text.length;
    const cuts = changed.flatMap(({ from, to }) => [from, to]).filter((cut) => cut > at && cut < end);
    const bounds = [at, ...cuts, end];
    for (const [part, from] of bounds.slice(0, -1).entries()) {
      const to = bounds[part + 1] ?? end;
      const isChanged = changed.some((span) => span.from <= from && to <= span.to);
      pieces.push({ text: visibleText(line.text.slice(from, to)), className, isChanged });
    }
    at = end;
  }
  return pieces;
}

/** Tokens of each line by its place, read from both versions of the file. Undefined if the language is unknown. */
export async function coloredLines(
  lines: readonly DiffLine[],
  path: string,
): Promise<ReadonlyMap<number, readonly CodePiece[]> | undefined> {
  const { highlight, languageOf } = await import('../markdown/highlight.ts');
  const language = languageOf(path);
  const colored = new Map<number, readonly CodePiece[]>();
  for (const side of ['removed', 'added'] as const) {
    const own = [...lines.entries()].filter(([, { type }]) => type === side || type === 'same');
    const tokens = await highlight(own.map(([, { text }]) => text).join('\n'), language);
    if (tokens === undefined) return undefined;
    for (const [at, [index]] of own.entries()) {
      const line = tokens[at];
      if (line !== undefined) colored.set(index, line);
    }
  }
  return colored;
}
