import { expect, test } from 'vitest';

import { typedKey } from './typed-key.ts';

test('[C129] a letter with Shift and a digit of the keypad are the character that they type', () => {
  const sequences = [
    'y',
    '\u001B[27;2;89~',
    '\u001B[27;2;63~',
    '\u001B[27;66;233~',
    '\u001B[57400u',
    '\u001B[97;2u',
  ];
  expect(sequences.map(typedKey)).toEqual(['y', 'Y', '?', 'é', '1', 'a']);
  // With Ctrl or Alt, and for keys without a character, the sequence stays.
  const others = ['\u001B[27;5;112~', '\u001B[27;3;109~', '\u001B[27;2;13~', '\u001B[27;2;127~', '\u001B[A', '\r'];
  expect(others.map(typedKey)).toEqual(others);
  expect(typedKey('\u001B[27;2;9999999~')).toBe('\u001B[27;2;9999999~');
});
