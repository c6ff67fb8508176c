import { expect, test } from 'vitest';

import { lastSentence } from './last-sentence.ts';

test.each([
  ['I fixed it. All **45** tests pass.', 'All 45 tests pass.'],
  ['Done:\n\n```ts\nconst x = 1.5;\n```\n', 'Done:'],
  ['- one\n- see [the file](a.md) for 1.2 s', 'see the file for 1.2 s'],
  ['The _new_ column is `created_at`.', 'The new column is created_at.'],
  ['', ''],
])('the last sentence of %j', (text, sentence) => {
  expect(lastSentence(text)).toBe(sentence);
});
