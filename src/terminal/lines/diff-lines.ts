/**
 * A diff with line numbers, signs, syntax colors and changed words: one column of numbers on a narrow screen, two on
 * a wide one, side by side from 140 columns. Long lines wrap with an empty number. They are never cut.
 */
import { visibleWidth } from '@earendil-works/pi-tui';

import type { DiffLine } from '../../kernel/line-diff.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { wordDiff, type TextSpan } from '../../views/word-diff.ts';
import { highlight } from './highlight.ts';
import type { Style } from '../theme.ts';
import { padded, wrapped } from './fit.ts';
import type { Look } from './look.ts';

type DiffLook = Pick<Look, 'paint' | 'width' | 'glyphs'>;

export const sideBySideFrom = 140;
const twoNumbersFrom = 80;

export function diffLines(
  lines: readonly DiffLine[],
  path: string,
  look: DiffLook,
  isSideBySide: boolean,
): readonly string[] {
  const language = /\.(\w+)$/.exec(path)?.[1];
  const marked = withWords(lines);
  return isSideBySide
    ? sideBySide(marked, language, look)
    : marked.flatMap((line) => oneColumn(line, language, look));
}

interface MarkedLine extends DiffLine {
  readonly spans: readonly TextSpan[];
}

/** Pairs removed lines with the added ones that follow them. */
function withWords(lines: readonly DiffLine[]): readonly MarkedLine[] {
  const marked: MarkedLine[] = lines.map((line) => ({ ...line, spans: [] }));
  for (let at = 0; at < lines.length;) {
    const removedFrom = at;
    while (lines[at]?.type === 'removed') at += 1;
    const addedFrom = at;
    while (at > removedFrom && lines[at]?.type === 'added') at += 1;
    const pairs = Math.min(addedFrom - removedFrom, at - addedFrom);
    for (let pair = 0; pair < pairs; pair += 1) {
      const [old, fresh] = [marked[removedFrom + pair], marked[addedFrom + pair]];
      if (old === undefined || fresh === undefined) continue;
      const { before, after } = wordDiff(visibleLine(old.text), visibleLine(fresh.text));
      marked[removedFrom + pair] = { ...old, spans: before };
      marked[addedFrom + pair] = { ...fresh, spans: after };
    }
    if (at === removedFrom) at += 1;
  }
  return marked;
}

function oneColumn(line: MarkedLine, language: string | undefined, look: DiffLook): readonly string[] {
  const { paint, width, glyphs } = look;
  if (line.type === 'hunk') return [paint.ink3(`  ${glyphs.more.padStart(3)}`)];
  const { before, after, type } = line;
  const isWide = width >= twoNumbersFrom;
  const number = (value: number | undefined) => `${value ?? ''}`.padStart(4);
  const numbers = isWide
    ? `${number(before)} ${number(type === 'removed' ? undefined : after)}`
    : number(type === 'removed' ? before : (after ?? before));
  const gutter = `${numbers}  ${signs[type]} `;
  const rest = `${' '.repeat(visibleWidth(numbers))}  ${signs[type]} `;
  return codeLines(line, language, look, width - visibleWidth(gutter)).map((code, index) =>
    lineStyle(type, paint)(padded(`${painted(type, index === 0 ? gutter : rest, paint)}${code}`, width)),
  );
}

const signs = { same: ' ', added: '+', removed: '-' } as const;

function painted(type: 'same' | 'added' | 'removed', gutter: string, paint: Look['paint']): string {
  const sign = type === 'same' ? undefined : type === 'added' ? paint.done : paint.fail;
  const numbers = paint.ink3(gutter.slice(0, -2));
  return `${numbers}${sign === undefined ? gutter.slice(-2) : sign(gutter.slice(-2))}`;
}

function lineStyle(type: 'same' | 'added' | 'removed', paint: Look['paint']): Style {
  if (type === 'same') return (text) => text.trimEnd();
  return type === 'added' ? paint.addedLine : paint.removedLine;
}

function codeLines(
  { text, type, spans }: MarkedLine,
  language: string | undefined,
  { paint }: DiffLook,
  width: number,
): readonly string[] {
  const [code = ''] = highlight(visibleLine(text).replaceAll('⇥', '    '), language, paint);
  const word = type === 'added' ? paint.addedWord : paint.removedWord;
  // A tab became four columns, so spans of lines with tabs don't fit any more.
  const shown = spans.length === 0 || text.includes('\t') ? code : withGround(code, spans, word);
  return wrapped(shown, Math.max(8, width));
}

/** Applies a style to spans of the visible text, between the escape sequences of a painted line. */
function withGround(line: string, spans: readonly TextSpan[], style: Style): string {
  let out = '';
  let at = 0;
  for (const piece of line.split(sequence)) {
    if (piece.startsWith('\u001B[')) {
      out += piece;
      continue;
    }
    for (let from = 0; from < piece.length;) {
      const span = spans.find(({ from: start, to }) => start <= at && at < to);
      const next = spans.filter(({ from: start }) => start > at).map(({ from: start }) => start);
      const end = Math.min(piece.length - from, (span?.to ?? Math.min(...next, Infinity)) - at);
      const text = piece.slice(from, from + end);
      out += span === undefined ? text : style(text);
      from += end;
      at += end;
    }
  }
  return out;
}

// oxlint-disable-next-line no-control-regex -- escape sequences are what separates
const sequence = /(\u001B\[[\d;]*m)/;

/** Removed lines left, added ones right, unchanged ones on both sides. */
function sideBySide(
  lines: readonly MarkedLine[],
  language: string | undefined,
  look: DiffLook,
): readonly string[] {
  const { paint, width, glyphs } = look;
  const half = Math.floor((width - 3) / 2);
  const rows: string[] = [];
  const join = (left: readonly string[], right: readonly string[]) => {
    for (let row = 0; row < Math.max(left.length, right.length); row += 1)
      rows.push(`${padded(left[row] ?? '', half)} ${paint.rule('│')} ${right[row] ?? ''}`.trimEnd());
  };
  const cell = (line: MarkedLine | undefined, side: 'before' | 'after'): readonly string[] => {
    if (line === undefined || line.type === 'hunk') return [];
    const number = `${line[side] ?? ''}`.padStart(4);
    const gutter = `${number} ${signs[line.type]} `;
    return codeLines(line, language, look, half - gutter.length).map((code, index) =>
      lineStyle(
        line.type === 'hunk' ? 'same' : line.type,
        paint,
      )(
        padded(
          `${painted(line.type === 'hunk' ? 'same' : line.type, index === 0 ? gutter : `     ${signs[line.type === 'hunk' ? 'same' : line.type]} `, paint)}${code}`,
          half,
        ),
      ),
    );
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (line === undefined) break;
    if (line.type === 'hunk') {
      rows.push(paint.ink3(`  ${glyphs.more.padStart(3)}`));
      at += 1;
    } else if (line.type === 'same') {
      join(cell(line, 'before'), cell(line, 'after'));
      at += 1;
    } else {
      const removed: MarkedLine[] = [];
      const added: MarkedLine[] = [];
      for (; lines[at]?.type === 'removed'; at += 1) removed.push(lines[at] as MarkedLine);
      for (; lines[at]?.type === 'added'; at += 1) added.push(lines[at] as MarkedLine);
      for (let pair = 0; pair < Math.max(removed.length, added.length); pair += 1)
        join(cell(removed[pair], 'before'), cell(added[pair], 'after'));
    }
  }
  return rows;
}
