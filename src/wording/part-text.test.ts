import { expect, test } from 'vitest';

import { partText } from './part-text.ts';

test.each([
  [{ text: 'du -sh dist', effect: 'look', dangers: [] }, 'Only reads'],
  [{ text: 'rm -rf dist', effect: 'delete', dangers: [] }, 'Deletes dist, which a rewind may not restore'],
  [{ text: 'rm -rf build', effect: 'edit', dangers: [] }, 'Deletes build, of which Rondo keeps a copy'],
  [{ text: 'tee a\u202Eb', effect: 'edit', dangers: [] }, 'Writes a‹U+202E›b in this folder'],
  [{ text: 'rm -rf $X', effect: 'delete', dangers: [] }, 'Deletes files'],
  [{ text: 'rm -rf /', effect: 'delete', dangers: ['deletes the whole disk'] }, 'Deletes the whole disk'],
  [{ text: 'eval x', effect: 'edit', opaque: true, dangers: [] }, 'Runs code that can’t be read beforehand'],
] as const)('[S14] a part says what it does: %#', (part, text) => {
  expect(partText(part)).toBe(text);
});
