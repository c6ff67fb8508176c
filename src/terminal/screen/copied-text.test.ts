import { expect, test } from 'vitest';

import { copiedText, type DrawnLine } from './copied-text.ts';

const drawn = (source: string, ...lines: readonly string[]): readonly DrawnLine[] =>
  lines.map((text) => ({ text, source }));

const answer = [
  'total adds cents as **integers** now and divides `once`, at the end. Discounts use the same helper.',
  '',
  '- the first point',
  '- https://example.org/a-very-long-address',
].join('\n');

const conversation: readonly DrawnLine[] = [
  ...drawn('Find out why, fix it.', '❯ Find out why,                09:41  ', '  fix it.            '),
  ...drawn('', ''),
  ...drawn(
    answer,
    '  total adds cents as integers',
    '  now and divides once, at the',
    '  end. Discounts use the same',
    '  helper.',
    '',
    '  • the first point',
    '  • https://example.org/a-very',
    '  -long-address',
  ),
  ...drawn('one\n  two  \nthree', '✓ Ran npm test', '    one', '      two', '    three'),
];

const shown = (from: number, to: number) =>
  conversation
    .slice(from, to)
    .map(({ text }) => text.trimEnd())
    .join('\n');

test('[C126] a copied selection has no gutter and no line ends that the width caused', () => {
  expect(copiedText(shown(0, conversation.length), conversation).split('\n')).toEqual([
    'Find out why, fix it.',
    '',
    'total adds cents as integers now and divides once, at the end. Discounts use the same helper.',
    '',
    '• the first point',
    '• https://example.org/a-very-long-address',
    'Ran npm test',
    'one',
    '  two',
    'three',
  ]);
});

test('[C126] a selection that begins and ends inside lines keeps what was selected', () => {
  expect(copiedText('cents as integers\n  now and divides once, at the\n  end.', conversation)).toBe(
    'cents as integers now and divides once, at the end.',
  );
  expect(copiedText('adds cents', conversation)).toBe('adds cents');
});

test('[C126] text outside the conversation loses its bar and keeps its line ends', () => {
  expect(copiedText('▌ Deletes dist/old\n▌ "Old bundles"', conversation)).toBe('Deletes dist/old\n"Old bundles"');
});
