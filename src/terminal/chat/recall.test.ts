import { expect, test } from 'vitest';

import { createRecall } from './recall.ts';

test('[C129] recalls from the newest, and gives the draft back at the end', () => {
  const recall = createRecall();
  for (const text of ['one', 'two', 'two', '', 'three']) recall.add(text);
  expect([recall.older('draft'), recall.older('three'), recall.older('two'), recall.older('one')]).toEqual([
    'three',
    'two',
    'one',
    undefined,
  ]);
  expect([recall.newer(), recall.newer(), recall.newer(), recall.newer()]).toEqual([
    'two',
    'three',
    'draft',
    undefined,
  ]);
});

test('[C129] typing ends the recall, so the next one starts with the newest', () => {
  const recall = createRecall();
  for (const text of ['one', 'two']) recall.add(text);
  recall.older('');
  recall.older('two');
  recall.stop();
  expect(recall.older('one and more')).toBe('two');
});
