import { stripVTControlCharacters } from 'node:util';

import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import type { RewindPoint } from '../../views/rewind-points.ts';
import { plainLook } from '../../testing/plain-look.ts';
import { rewindLines, type RewindCard } from './rewind-lines.ts';

// Times of prompts are local.
process.env['TZ'] = 'UTC';

const at = Date.UTC(2026, 10, 18, 9, 41);
const point = (number: number, text: string, given: Partial<RewindPoint> = {}): RewindPoint => ({
  number,
  to: number * 10,
  text,
  at: at + number * 180_000,
  steps: 3,
  added: 0,
  removed: 0,
  paths: [],
  commands: [],
  ...given,
});
const card: RewindCard = {
  points: [
    point(1, 'The total of a cart is off by a cent now and then. Find out why, fix it and add a test.'),
    point(2, 'Also look at discounts', { added: 31, removed: 9, paths: ['src/cart/total.ts'] }),
    point(3, '割引も確認してください 👩‍👩‍👧 then stop', {
      added: 6,
      commands: [{ args: '{"command":"npm install"}', at }],
    }),
  ],
  selected: 1,
  changes: {
    type: 'diff',
    changes: [
      { path: 'src/cart/total.ts', status: 'modified', added: 6, removed: 3 },
      { path: 'docs/cart.md', status: 'added', added: 6, removed: 0 },
    ],
  },
  isDiffOpen: false,
  scroll: 0,
};

test.each([60, 120, 200])('[C126] the rewind card at %i columns', async (width) => {
  const lines = rewindLines(card, plainLook(width), 21).map(stripVTControlCharacters);
  expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../frames/rewind-${width}.txt`);
});

test('[C126] files that changed outside the session are named before they go back', () => {
  const alone = { ...card, points: card.points.slice(0, 2) };
  const text = rewindLines(alone, plainLook(120), 21).join('\n');
  expect(text).toContain('docs/cart.md was changed outside this session.');
  expect(text).not.toContain('total.ts was changed outside');
});

test("[C126] a person's later change to a file that the session changed too is named, also after commands", () => {
  const changes = [
    { path: 'src/cart/total.ts', status: 'modified', added: 7, removed: 3, isForeign: true } as const,
  ];
  const later = { ...card, changes: { type: 'diff', changes } } as const;
  expect(rewindLines(later, plainLook(120), 21).join('\n')).toContain('src/cart/total.ts was changed outside');
});

test('[C126] without a checkpoint the card tells that files stay', () => {
  const lost = { ...card, changes: { type: 'unavailable', message: 'Session x keeps no checkpoints.' } } as const;
  expect(rewindLines(lost, plainLook(120), 21).join('\n')).toContain("Files can't be restored: Session x");
});

test('[C126] the diff of the preview shows what going back changes, not what was changed', () => {
  const patch = '@@ -4,2 +4,3 @@\n-  return 1;\n+  return 2;\n+  // two\n }';
  const file = {
    path: 'src/a.ts',
    status: 'modified',
    added: 2,
    removed: 1,
    patch: `diff --git a/src/a.ts b/src/a.ts\n${patch}\n`,
  };
  const open = { ...card, isDiffOpen: true, changes: { type: 'diff', changes: [file] } } as unknown as RewindCard;
  const lines = rewindLines(open, plainLook(120), 21).map(stripVTControlCharacters);
  const shown = lines.map((line) => line.split('│ ')[1]?.trimEnd() ?? '').filter((line) => line !== '');
  expect(shown.slice(2)).toEqual([
    'src/a.ts',
    '   4  -   return 2;',
    '   5  -   // two',
    '   4  +   return 1;',
    '   5    }',
  ]);
});
