import { expect, test } from 'vitest';

import { openingsOf } from './pattern-openings.ts';

test.each([
  ['^(?:fix|fixing)\\b(?! x)', { at: 'start', words: ['fix', 'fixing'] }],
  ['^optimi[sz](?:e|ed)\\b', { at: 'start', words: ['optimi'] }],
  ['^clean(?:ing)? up', { at: 'start', words: ['clean'] }],
  ['^jobs?\\b', { at: 'start', words: ['job'] }],
  ['^(?:re-?)?(?:run)\\b', undefined],
  ['^git\\b|\\bgit log\\b', undefined],
  ['\\bgit\\b', { at: 'anywhere', words: ['git'] }],
  ['\\b(?:and|to) (?:fix|repair) it', { at: 'anywhere', words: ['and', 'to'] }],
  ['^(?!what if)(?:what|who)\\b', { at: 'start', words: ['what', 'who'] }],
  ['^(?:a?b|cd)\\b', undefined],
  ['.*git', undefined],
])('%s opens with %j', (pattern, openings) => {
  expect(openingsOf(pattern)).toEqual(openings);
});
