import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import { terminalColumns, cutToColumns } from './columns.ts';
import { tableText } from './table.ts';
import { noPaint } from './terminal-style.ts';

test.each([
  'plain',
  'Größe · ●',
  '請求書のダークモード',
  '한국어',
  '👩‍👩‍👧 ok',
  'e\u0301',
  '✅ done',
  '✓ ✗ ▌',
  '（全角）',
  'שלום',
  '❤️',
])('%s takes as many columns as the chat gives it', (text) =>
  expect(terminalColumns(text)).toBe(visibleWidth(text)),
);

test('a cut text never splits a character or exceeds its columns', () => {
  expect(['請求書のダーク', 'plain text', '👩‍👩‍👧👩‍👩‍👧'].map((text) => cutToColumns(text, 6))).toEqual([
    '請求…',
    'plain…',
    '👩‍👩‍👧👩‍👩‍👧',
  ]);
});

test('the columns of a table stay aligned beside wide characters', () => {
  const terminal = { isTerminal: true, width: 30, paint: noPaint };
  const rows = [
    ['請求書のダークモード、第二版', '11m'],
    ['Carts', '2m'],
  ];
  const columns = [
    { title: 'session', gives: true },
    { title: 'age', align: 'right' },
  ] as const;
  const table = tableText(columns, rows, terminal).split('\n');
  expect([table, table.map(visibleWidth)]).toEqual([
    [`session${' '.repeat(20)}age`, '請求書のダークモード、第…  11m', `Carts${' '.repeat(23)}2m`],
    [30, 30, 30],
  ]);
});
