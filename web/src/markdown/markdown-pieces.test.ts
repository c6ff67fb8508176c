import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { atStart, splitMarkdown, type Piece } from './markdown-pieces.ts';

function piecesOf(text: string): readonly Piece[] {
  const { settled, open } = splitMarkdown(text, atStart);
  return open === undefined ? settled : [...settled, open];
}

const kinds = (text: string) => piecesOf(text).map(({ kind, text: piece }) => `${kind} ${JSON.stringify(piece)}`);

test('[C95] paragraphs, items, rows and code are separate pieces', () => {
  const text =
    'One.\n\n```ts\na\n\nb\n```\n\n1. x\n\n2. y\n   - z\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nEnd.';
  expect(kinds(text)).toEqual([
    'text "One.\\n"',
    'code "```ts\\na\\n\\nb\\n```\\n"',
    'item "1. x\\n\\n"',
    'item "2. y\\n   - z\\n\\n"',
    'table "| a | b |\\n|---|---|\\n"',
    'row "| 1 | 2 |\\n"',
    'row "| 3 | 4 |\\n"',
    'text "End."',
  ]);
});

test('a list starts in a paragraph, ends at other text after an empty line, and keeps code with empty lines', () => {
  expect(kinds('Steps:\n- a\n  ```\n  x\n\n  - no item\n  ```\n- b\nlazy\n\nAfter.\n')).toEqual([
    'text "Steps:\\n"',
    'item "- a\\n  ```\\n  x\\n\\n  - no item\\n  ```\\n"',
    'item "- b\\nlazy\\n\\n"',
    'text "After.\\n"',
  ]);
});

test("other marks start another list; a rule isn't an item", () => {
  expect(piecesOf('- a\n- b\n* c\n***\n1. d\n').map(({ kind, isFirst }) => [kind, isFirst])).toEqual([
    ['item', true],
    ['item', false],
    ['item', true],
    ['text', undefined],
    ['item', true],
  ]);
});

const lines = fc.constantFrom(
  '',
  'text',
  '- item',
  '* item',
  '1. one',
  '2. two',
  '  more',
  '   deep',
  '```',
  '```ts',
  '~~~',
  '# head',
  '| a | b |',
  '|---|---|',
  '> quote',
  '---',
  'a | b',
);

test('[P9] text that arrives in any portions is split like the whole, and loses nothing', () => {
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 14 }), fc.array(fc.nat(12), { maxLength: 40 }), (written, steps) => {
      const text = written.join('\n');
      let cursor = atStart;
      let end = 0;
      const settled: Piece[] = [];
      for (const step of steps) {
        end = Math.min(end + step, text.length);
        const split = splitMarkdown(text.slice(0, end), cursor);
        settled.push(...split.settled);
        ({ cursor } = split);
      }
      const last = splitMarkdown(text, cursor);
      const pieces = [...settled, ...last.settled, ...(last.open === undefined ? [] : [last.open])];
      expect(pieces).toEqual(piecesOf(text));
      expect(
        pieces
          .map((piece) => piece.text)
          .join('')
          .replaceAll('\n', ''),
      ).toBe(text.replaceAll('\n', ''));
    }),
    { numRuns: 2000 },
  );
});
