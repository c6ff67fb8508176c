/**
 * Terminal output as pieces of text with class names. No style ever comes from the output itself. Keeps colors and
 * weights. Drops cursor movements, except that a carriage return restarts the line.
 */
import { orderedText } from '../../../src/views/visible-text.ts';

interface AnsiPiece {
  readonly text: string;
  /** Space-separated. Empty for plain text. */
  readonly classes: string;
}

interface Pen {
  readonly ink: string;
  readonly ground: string;
  readonly marks: readonly string[];
}

const plain: Pen = { ink: '', ground: '', marks: [] };
const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const markByCode: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
};
const escape = String.fromCodePoint(27);
const bell = String.fromCodePoint(7);
/** Control sequences, operating-system commands, and single escapes; then lone control characters. */
const escapes = new RegExp(
  [
    String.raw`${escape}\[([\d;:]*)[ -/]*([@-~])`,
    String.raw`${escape}\][^${bell}${escape}]*(?:${bell}|${escape}\\)?`,
    `${escape}[ -/]*[0-~]?`,
    String.raw`(?![\n\t${escape}])\p{Cc}`,
  ].join('|'),
  'gu',
);

export function ansiPieces(text: string): readonly AnsiPiece[] {
  const pieces: AnsiPiece[] = [];
  let pen = plain;
  let from = 0;
  const put = (said: string) => {
    if (said !== '') pieces.push({ text: orderedText(said), classes: classesOf(pen) });
  };
  const shown = withoutRewrites(text);
  for (const found of shown.matchAll(escapes)) {
    put(shown.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[2] === 'm') pen = penAfter(pen, found[1] ?? '');
  }
  put(shown.slice(from));
  return pieces;
}

function withoutRewrites(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  if (!lines.includes('\r')) return lines;
  return lines
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part !== '') ?? '')
    .join('\n');
}

function penAfter(pen: Pen, parameters: string): Pen {
  const codes = parameters.split(/[;:]/).map((code) => Number(code === '' ? 0 : code));
  let next = pen;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const isIndexed = codes[index + 1] === 5;
      const name = isIndexed ? nameOfIndex(codes[index + 2] ?? 0) : '';
      next = code === 38 ? { ...next, ink: name } : { ...next, ground: name };
      index += isIndexed ? 2 : 4;
    } else next = penWith(next, code);
  }
  return next;
}

function penWith(pen: Pen, code: number): Pen {
  const mark = markByCode[code];
  if (code === 0) return plain;
  if (mark !== undefined) return { ...pen, marks: [...pen.marks.filter((other) => other !== mark), mark] };
  if (code === 22) return { ...pen, marks: pen.marks.filter((other) => other !== 'bold' && other !== 'dim') };
  if (code >= 23 && code <= 29)
    return { ...pen, marks: pen.marks.filter((other) => other !== markByCode[code - 20]) };
  if (code === 39) return { ...pen, ink: '' };
  if (code === 49) return { ...pen, ground: '' };
  if (code >= 30 && code <= 37) return { ...pen, ink: names[code - 30] ?? '' };
  if (code >= 90 && code <= 97) return { ...pen, ink: `bright-${names[code - 90]}` };
  if (code >= 40 && code <= 47) return { ...pen, ground: names[code - 40] ?? '' };
  if (code >= 100 && code <= 107) return { ...pen, ground: names[code - 100] ?? '' };
  return pen;
}

/** Maps the 16 named colors of 256. The others stay plain. */
function nameOfIndex(index: number): string {
  if (index < 8) return names[index] ?? '';
  return index < 16 ? `bright-${names[index - 8]}` : '';
}

function classesOf({ ink, ground, marks }: Pen): string {
  return [
    ...(ink === '' ? [] : [`ansi-${ink}`]),
    ...(ground === '' ? [] : [`ansi-on-${ground}`]),
    ...marks.map((mark) => `ansi-${mark}`),
  ].join(' ');
}
