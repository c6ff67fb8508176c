import { expect, test } from 'vitest';

import { lineDiff } from '../../../src/kernel/line-diff.ts';
import { diffPieces, diffRows, splitRows } from './diff-rows.ts';

const lines = lineDiff('a\nsum + price\nc\n', 'a\nsum + toCents(price)\nnew\nc\n');

test('C155: changed words of a replaced line are marked on both sides', () => {
  const [, removed, added] = diffRows(lines);
  const marked = (row: typeof removed) =>
    row === undefined
      ? []
      : diffPieces(row, undefined)
          .filter(({ isChanged }) => isChanged)
          .map(({ text }) => text);
  expect([marked(removed), marked(added)]).toEqual([[], ['toCents(', ')']]);
});

test('colors and changes cut a line together and keep its text', () => {
  const [, , added] = diffRows(lines);
  if (added === undefined) throw new Error('no added line');
  const pieces = diffPieces(added, [
    { text: 'sum + ', className: 'code-keyword' },
    { text: 'toCents(price)', className: 'code-function' },
  ]);
  expect(pieces.map(({ text }) => text).join('')).toBe('sum + toCents(price)');
  expect(pieces).toEqual([
    { text: 'sum + ', className: 'code-keyword', isChanged: false },
    { text: 'toCents(', className: 'code-function', isChanged: true },
    { text: 'price', className: 'code-function', isChanged: false },
    { text: ')', className: 'code-function', isChanged: true },
  ]);
});

test('C155: both sides stand beside each other, with a gap where one has no line', () => {
  const sides = splitRows(diffRows(lines)).map(({ left, right }) => [left?.line.text, right?.line.text]);
  expect(sides).toEqual([
    ['a', 'a'],
    ['sum + price', 'sum + toCents(price)'],
    [undefined, 'new'],
    ['c', 'c'],
  ]);
});
