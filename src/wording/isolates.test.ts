import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import { isolated, withoutIsolates } from './isolates.ts';

const shown = (line: string) => isolated(line).replaceAll('\u200E', '|');

test.each([
  ['✓ Edited src/תיקייה/דוח.ts   +1 −1  0.1s', '✓ Edited src/|תיקייה|/|דוח|.ts   +1 −1  0.1s'],
  ['ask · claude · חנות:ענף +26 −8 · local', 'ask · claude · |חנות|:|ענף| +26 −8 · local'],
  ['❯ ● סל קניות גדול      2m', '❯ ● |סל קניות גדול|      2m'],
  ['דוח-2024-סופי.pdf  12 kB', '|דוח-2024-סופי|.pdf  12 kB'],
  [
    '\u001B[1mשלום\u001B[22m · \u001B[2mעולם\u001B[22m x',
    '\u001B[1m|שלום|\u001B[22m · \u001B[2m|עולם|\u001B[22m x',
  ],
  ['writes א, ב', 'writes |א|, |ב|'],
  ['لوحة التحكم  09:41', '|لوحة التحكم|  09:41'],
])('[S14] a name from right to left stays in its place: %s', (line, expected) => {
  expect(shown(line)).toBe(expected);
  expect([visibleWidth(isolated(line)), withoutIsolates(isolated(line))]).toEqual([visibleWidth(line), line]);
});

test.each([
  'plain text',
  '  שלום, עולם. מה שלומך?',
  '請求書のダークモード',
  '\u001B]8;;https://x.example/א\u0007link\u001B]8;;\u0007',
])('left alone: %s', (line) => expect(isolated(line)).toBe(line));
