/** The parts of a command as rows: number, operator, text, effect and the rule that covers it. */
import { visibleWidth } from '@earendil-works/pi-tui';

import { operatorsIn } from '../../views/part-operators.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { judgedParts, namedPart, type JudgedPart } from '../../views/covering-rule.ts';
import { partRisk } from '../../views/part-risk.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { counted } from '../../wording/counted.ts';
import { partSentence } from '../../wording/effect-heading.ts';
import { padded, spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

interface PartRow {
  readonly operator: string;
  readonly text: string;
  readonly effect: string;
  readonly verdict: string;
  readonly level: 0 | 1 | 2 | 3;
}

export interface DrawnParts {
  readonly lines: readonly string[];
  /** The first line of each part, and where the last one ends. */
  readonly starts: readonly number[];
  /** The part that the title names. */
  readonly worst: number;
}

/** Narrower cards show effects below their parts. */
const tableFrom = 90;

export function partLines(question: OpenQuestion, command: string, look: Look): DrawnParts {
  const { paint, width } = look;
  const parts = judgedParts(question);
  const operators = operatorsIn(
    command,
    parts.map(({ text }) => text),
  );
  const rows = parts.map((part, index) => rowOf(part, operators[index] ?? '', look));
  const lines: string[] = isWhole(command, parts, operators)
    ? []
    : [...wrapped(paint.ink2(visibleLine(command)), width, `${paint.ink3('$')} `, '  ')];
  // Dangers of one part are its effect.
  const texts = new Set(parts.map(({ text }) => text));
  for (const { unit, reason } of question.facts?.dangers ?? [])
    if (unit === undefined || !texts.has(unit))
      lines.push(...wrapped(paint.fail(`!! ${visibleLine(reason)}`), width));
  lines.push(...wrapped(paint.ink3(countText(parts, width)), width));
  const table = width >= tableFrom ? tableRows(rows, look) : undefined;
  const starts: number[] = [];
  for (const [index, row] of rows.entries()) {
    starts.push(lines.length);
    const line = table?.[index];
    lines.push(...(line === undefined ? stackedRow(row, index, rows, look) : [line]));
  }
  const named = namedPart(question);
  return {
    lines,
    starts: [...starts, lines.length],
    worst: Math.max(
      0,
      parts.findIndex(({ text }) => text === named?.text),
    ),
  };
}

function rowOf(part: JudgedPart, operator: string, { paint, glyphs }: Look): PartRow {
  const { level } = partRisk(part);
  const style = level === 3 ? paint.fail : level > 1 ? paint.warn : paint.ink2;
  const mark = level === 3 ? '!! ' : level > 1 ? '!  ' : '';
  const { allowing, asking } = part;
  return {
    operator,
    text: level > 1 ? style(visibleLine(part.text)) : visibleLine(part.text),
    effect: style(`${mark}${partSentence(part)}`),
    verdict:
      allowing === undefined
        ? style(asking === undefined ? 'no rule' : `asks: ${visibleLine(asking)}`)
        : `${paint.done(glyphs.done)} ${paint.ink3(visibleLine(allowing))}`,
    level,
  };
}

/** Undefined for a row that doesn't fit: it is stacked, and nothing is cut. */
function tableRows(rows: readonly PartRow[], { paint, width }: Look): readonly (string | undefined)[] {
  const textWidth = Math.min(44, Math.max(...rows.map(({ text }) => visibleWidth(text))));
  const effectWidth = Math.max(...rows.map(({ effect }) => visibleWidth(effect)));
  const operatorWidth = Math.max(...rows.map(({ operator }) => operator.length));
  return rows.map(({ operator, text, effect, verdict }, index) => {
    const number = paint.ink3(`${index + 1}`.padStart(3));
    const sign = operatorWidth === 0 ? '' : `${paint.ink3(operator.padEnd(operatorWidth))} `;
    const line = `${number}  ${sign}${padded(text, textWidth)}   ${padded(effect, effectWidth)}   ${verdict}`;
    return visibleWidth(text) > textWidth || visibleWidth(line) > width ? undefined : line;
  });
}

function stackedRow(
  { operator, text, effect, verdict, level }: PartRow,
  index: number,
  rows: readonly PartRow[],
  { paint, width }: Look,
): readonly string[] {
  const operatorWidth = Math.max(...rows.map((row) => row.operator.length));
  const sign = operatorWidth === 0 ? '' : `${operator.padEnd(operatorWidth)} `;
  const number = `${index + 1}`;
  const start =
    width >= tableFrom ? `${number.padStart(3)}  ${sign}` : `${number.padStart(`${rows.length}`.length)} ${sign}`;
  const indent = ' '.repeat(start.length);
  const verdictWidth = Math.max(...rows.map((row) => visibleWidth(row.verdict)));
  const isBeside = verdictWidth <= width / 3;
  const [first = '', ...rest] = wrapped(
    text,
    isBeside ? width - verdictWidth - 2 : width,
    paint.ink3(start),
    indent,
  );
  return [
    ...(isBeside ? [spread(first, padded(verdict, verdictWidth), width).trimEnd(), ...rest] : [first, ...rest]),
    ...effectLines(effect, level, indent, width),
    ...(isBeside ? [] : wrapped(verdict, width, indent)),
  ];
}

/** A wrapped effect stays beside its mark. */
function effectLines(effect: string, level: PartRow['level'], indent: string, width: number): readonly string[] {
  const mark = level > 1 ? 3 : 0;
  const [first = '', ...rest] = wrapped(effect, width - indent.length - mark);
  return [first, ...rest.map((line) => `${' '.repeat(mark)}${line}`)].map((line) => `${indent}${line}`);
}

function countText(parts: readonly JudgedPart[], width: number): string {
  const open = parts.filter(({ allowing }) => allowing === undefined).length;
  const count = `1 command, ${counted(parts.length, 'part')}.`;
  if (open === 0) return `${count} Allowing it runs all of them.`;
  if (width < tableFrom) return `${count} ${open} not covered by a rule.`;
  return `${count} ${open === 1 ? "1 part isn't" : `${open} parts aren't`} covered by a rule.`;
}

/** True if the rows show the command exactly as it was written. */
function isWhole(
  command: string,
  parts: readonly JudgedPart[],
  operators: readonly (string | undefined)[],
): boolean {
  const shown = parts.map(({ text }, index) => [operators[index], text].filter(Boolean).join(' ')).join(' ');
  return shown === command.replaceAll(/ *; */g, ' ; ').trim() || shown === command.trim();
}
