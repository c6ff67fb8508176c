import { expect, test } from 'vitest';

import { wordDiff, type TextSpan } from './word-diff.ts';

function marked(before: string, after: string): readonly (readonly string[])[] {
  const diff = wordDiff(before, after);
  const texts = (line: string, spans: readonly TextSpan[]) => spans.map(({ from, to }) => line.slice(from, to));
  return [texts(before, diff.before), texts(after, diff.after)];
}

test('marks the words that changed inside a line', () => {
  expect(marked('for (const row of rows) {', 'for (const batch of chunk(rows, 500)) {')).toEqual([
    ['row'],
    ['batch', 'chunk(', ', 500', ')'],
  ]);
  expect(marked('const beds = 3;', 'const beds = 4;')).toEqual([['3'], ['4']]);
});

test('lines with little in common have no marks, and equal ones neither', () => {
  expect(marked('return total;', 'import { x } from "y"')).toEqual([[], []]);
  expect(marked('same', 'same')).toEqual([[], []]);
});
