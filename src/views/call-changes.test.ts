import { expect, test } from 'vitest';

import { changesIn } from './call-changes.ts';

test('an edit is shown as what it takes away and puts in', () => {
  const args = { path: 'a.ts', edits: [{ old_text: 'one\ntwo', new_text: 'one\n2' }] };
  expect(changesIn('edit', args)).toEqual([
    {
      path: 'a.ts',
      lines: [
        { type: 'same', text: 'one' },
        { type: 'removed', text: 'two' },
        { type: 'added', text: '2' },
      ],
    },
  ]);
});

test('where the file is known, an edit has its line numbers', () => {
  const args = { path: 'a.ts', edits: [{ old_text: 'two', new_text: '2' }] };
  expect(changesIn('edit', args, 'one\ntwo\n')).toEqual([
    {
      path: 'a.ts',
      lines: [
        { type: 'same', text: 'one', before: 1, after: 1 },
        { type: 'removed', text: 'two', before: 2 },
        { type: 'added', text: '2', after: 2 },
      ],
    },
  ]);
});

test('an edit that does not fit the file is shown as it was written', () => {
  const args = { path: 'a.ts', edits: [{ old_text: 'two', new_text: '2' }] };
  const asWritten = [
    {
      path: 'a.ts',
      lines: [
        { type: 'removed', text: 'two' },
        { type: 'added', text: '2' },
      ],
    },
  ];
  expect(changesIn('edit', args, 'two two')).toEqual(asWritten);
  expect(changesIn('edit', args, 'none')).toEqual(asWritten);
});

test('[P8] a write over a file shows what it removes', () => {
  expect(changesIn('write', { path: 'a', content: 'new\n' }, 'old\nlines\n')).toEqual([
    {
      path: 'a',
      lines: [
        { type: 'removed', text: 'old', before: 1 },
        { type: 'removed', text: 'lines', before: 2 },
        { type: 'added', text: 'new', after: 1 },
      ],
    },
  ]);
});

test('a call that changes no text has no changes', () => {
  expect(changesIn('shell', { command: 'ls' })).toEqual([]);
  expect(changesIn('edit', undefined)).toEqual([]);
});
