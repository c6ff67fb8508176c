import { expect, test } from 'vitest';

import { editBetween } from './edit-between.ts';

test('an edit holds the changed lines only', () => {
  expect(editBetween('a\nb\nc\n', 'a\nB\nB2\nc\n')).toEqual({ old: 'b\n', fresh: 'B\nB2\n' });
  expect(editBetween('a\nb\nc', 'a\nc')).toEqual({ old: 'b\n', fresh: '' });
});

test('repeated lines get context before them, and an insertion gets a neighboring line', () => {
  expect(editBetween('x\n1\nx\n2\n', 'x\n1\ny\n2\n')).toEqual({ old: '1\nx\n', fresh: '1\ny\n' });
  expect(editBetween('a\nb\n', 'a\nnew\nb\n')).toEqual({ old: 'a\n', fresh: 'a\nnew\n' });
  expect(editBetween('a\nb\n', 'new\na\nb\n')).toEqual({ old: 'a\n', fresh: 'new\na\n' });
});

test('nothing to replace means no edit', () => {
  expect(editBetween('a\n', 'a\n')).toBeUndefined();
  expect(editBetween('', 'a\n')).toBeUndefined();
});
