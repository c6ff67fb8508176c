import { expect, test } from 'vitest';

import { oneLine } from './one-line.ts';

test('a text becomes one short line that a terminal can print', () => {
  expect(oneLine('  a\n\tb\u001B[31mc  ')).toBe('a b [31mc');
  expect(oneLine('x'.repeat(120))).toBe('x'.repeat(120));
  expect(oneLine('x'.repeat(121))).toBe(`${'x'.repeat(119)}…`);
  expect(oneLine(`${'x'.repeat(118)}😀😀`)).toBe(`${'x'.repeat(118)}…`);
  expect(oneLine('')).toBe('');
});
