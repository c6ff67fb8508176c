import { expect, test } from 'vitest';

import { replyEnd } from './reply-end.ts';

test.each([
  ['I fixed it. All **45** tests pass.', 'I fixed it. All 45 tests pass.'],
  ['First this.\n\nThen that.', 'Then that.'],
  ['Done:\n\n```ts\nconst x = 1.5;\n```\n', 'Done:'],
  ['It works.\n\n- one\n- see [the file](a.md) for 1.2 s', 'It works. one; see the file for 1.2 s'],
  ['The _new_ column is `created_at`.', 'The new column is created_at.'],
  ['The flag rule shell(*) denies this.', 'The flag rule shell(*) denies this.'],
  ['It reads *.ts and `src/*`, **not *.js**.', 'It reads *.ts and src/*, not *.js.'],
  ['A ***very* strong** word, 2 * 3 * 4, and **`code *`**.', 'A very strong word, 2 * 3 * 4, and code *.'],
  ['', ''],
  ['```\nonly code\n```', ''],
  [`${'word '.repeat(40)}end.`, `${'word '.repeat(23)}word…`],
])('the end of %j', (text, end) => {
  expect(replyEnd(text)).toBe(end);
});

test.each([
  ['a line break', 'I did not\nfix the cart.', 'I did not fix the cart.'],
  ['an abbreviation', 'It is wrong that e.g. all tests pass.', 'It is wrong that e.g. all tests pass.'],
  [
    'a sentence before',
    'I could not run anything. All tests would pass.',
    'I could not run anything. All tests would pass.',
  ],
  [
    'an introduction',
    'Hello.\n\nNone of these holds:\n\n- the cart is fixed\n\n- all tests pass',
    'None of these holds: the cart is fixed; all tests pass',
  ],
  [
    'a heading',
    '# Report\n## Not done\nAll tests pass on Windows.',
    'Report: Not done: All tests pass on Windows.',
  ],
  ['a line that ends with a colon', 'This is **wrong:**\n\nAll tests pass.', 'This is wrong: All tests pass.'],
])('[C95] %s is never cut off, because what is left would say the opposite', (_, text, end) => {
  expect(replyEnd(text)).toBe(end);
});
