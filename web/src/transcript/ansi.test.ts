import { expect, test } from 'vitest';

import { ansiPieces } from './ansi.ts';

const escape = String.fromCodePoint(27);
const bell = String.fromCodePoint(7);

test('colors and weights become class names, one piece for each', () => {
  expect(ansiPieces(`plain ${escape}[1;31mred${escape}[0m ${escape}[38;5;12mblue${escape}[39m end`)).toEqual([
    { text: 'plain ', classes: '' },
    { text: 'red', classes: 'ansi-red ansi-bold' },
    { text: ' ', classes: '' },
    { text: 'blue', classes: 'ansi-bright-blue' },
    { text: ' end', classes: '' },
  ]);
});

test.for([
  ['a title of the window', `${escape}]0;title${bell}text`, 'text'],
  ['a link', `${escape}]8;;https://example.org${escape}\\here${escape}]8;;${escape}\\`, 'here'],
  ['moves of the cursor', `a${escape}[2Kb${escape}[1;1Hc`, 'abc'],
  ['progress that is written over itself', '10%\r50%\r100%\nready\r\n', '100%\nready\n'],
  ['24-bit color', `${escape}[38;2;1;2;3mtext${escape}[m`, 'text'],
  ['lone control characters', `a${bell}b\u0000c\td`, 'abc\td'],
])('%s leaves the text alone', ([, given, text]) => {
  const pieces = ansiPieces(given ?? '');
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
});

test("output can't turn the text after it around", () => {
  expect(ansiPieces('a\t\u202Eb')).toEqual([{ text: 'a\t‹U+202E›b', classes: '' }]);
});
