import { expect, test } from 'vitest';

import { rewoundLines } from './rewound-lines.ts';

const files = (restored: readonly string[], removed: readonly string[]) =>
  rewoundLines(
    { type: 'rewound', files: { type: 'restored', restored, removed, blocked: [] } },
    { undo: '/undo' },
  );

test('[C119] a rewind names the files that it restored and removed, and tells that undo has their content', () => {
  const saved = 'Rondo saved what they held, including changes of your own. Undo brings it back.';
  expect(files(['pot.txt'], ['new.txt'])).toEqual([
    '1 file restored: pot.txt',
    '1 file removed: new.txt',
    saved,
    'Undo: /undo',
  ]);
  expect(files(['a', 'b', 'c', 'd', 'e', 'f', 'g'], [])).toEqual([
    '7 files restored: a, b, c, d, e, 2 more',
    saved,
    'Undo: /undo',
  ]);
  expect(files([], [])).toEqual(['No files changed.', 'Undo: /undo']);
});

test('[C119][S14] a name with hidden characters shows them', () => {
  expect(files(['a\u{202e}txt.sh'], [])[0]).toBe('1 file restored: a‹U+202E›txt.sh');
});
