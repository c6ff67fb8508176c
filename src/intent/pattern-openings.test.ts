import { expect, test } from 'vitest';

import { readCorpus } from './corpus/read-corpus.ts';
import { mayMatch, openingsOf } from './pattern-openings.ts';
import { prepareText } from './prepare-text.ts';
import { shippedVerbs } from './shipped-verbs.ts';

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

test('what the openings rule out could not have matched', () => {
  const clauses = (['sentences.txt', 'fresh.txt', 'last.txt'] as const)
    .flatMap((file) => readCorpus(file))
    .flatMap(({ text }) => prepareText(text).split('\n'));
  const patterns = [...shippedVerbs.verbs.values()].flatMap((verb) => verb.patterns);
  const wrong = patterns.filter((pattern) => {
    const openings = openingsOf(pattern);
    const expression = new RegExp(pattern, 'm');
    return (
      openings !== undefined &&
      clauses.some((clause) => expression.test(clause) && !mayMatch(openings, clause, [clause]))
    );
  });
  expect(wrong).toEqual([]);
});
