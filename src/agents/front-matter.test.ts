import { expect, test } from 'vitest';

import { parseFrontMatter } from './front-matter.ts';

const doubling = (at: number) =>
  `b${at}: &b${at} [${Array(9)
    .fill(`*b${at - 1}`)
    .join(', ')}]`;

test.each([
  ['grow without bound', `b0: &b0 [x]\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(doubling).join('\n')}`],
  ['hold themselves', 'a: &a [*a]'],
])('[C114] aliases that %s are a problem with its place', async (_, matter) => {
  expect(await parseFrontMatter(`---\n${matter}\n---\nText`, 'own.md')).toEqual({
    type: 'invalid',
    problems: [
      {
        code: 'syntax',
        file: 'own.md',
        line: 2,
        column: 1,
        path: '',
        message: 'its aliases (*name) are undefined, recursive or too large; write the values out.',
      },
    ],
  });
});

test('[C114] an alias of a value is that value', async () => {
  const parsed = await parseFrontMatter('---\nmodel: &m fast\nname: *m\n---\nText', 'own.md');
  expect(parsed.type === 'parsed' ? [parsed.document.value, parsed.body] : parsed).toEqual([
    { model: 'fast', name: 'fast' },
    'Text',
  ]);
});
