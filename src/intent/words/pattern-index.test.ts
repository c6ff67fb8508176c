import { expect, test } from 'vitest';

import { readCorpus } from '../corpus/read-corpus.ts';
import { indexPatterns } from '../meaning/index-patterns.ts';
import { patternsFor } from './pattern-index.ts';
import { prepareText } from '../meaning/prepare-text.ts';
import { shippedVerbs } from '../meaning/shipped-verbs.ts';

const index = indexPatterns([
  { name: 'fix', patterns: ['^(?:fix|mend)\\b', '\\bneeds? a fix\\b', '.*broken'] },
  { name: 'find', patterns: ['^find\\b'] },
]);

test('patterns are kept by how a clause begins, by a word that must stand somewhere, or for every text', () => {
  expect(index).toEqual({
    openings: {
      f: [
        ['fix', 'fix', 0],
        ['find', 'find', 0],
      ],
      m: [['mend', 'fix', 0]],
    },
    words: [['need', 'fix', 1]],
    always: [['fix', 2]],
  });
});

test('a text is matched against what may match it alone, in order', () => {
  expect([...patternsFor(index, 'it needs a fix\nmend it')]).toEqual([['fix', [0, 1, 2]]]);
  expect([...patternsFor(index, 'find it')]).toEqual([
    ['fix', [2]],
    ['find', [0]],
  ]);
});

test('what the index leaves out of the shipped verbs could not have matched', () => {
  const texts = (['sentences.txt', 'fresh.txt', 'last.txt', 'later.txt'] as const)
    .flatMap((file) => readCorpus(file))
    .map(({ text }) => prepareText(text));
  const patterns = [...shippedVerbs.verbs.values()].flatMap(({ name, patterns: own }) =>
    own.map((pattern, number) => ({ name, number, expression: new RegExp(pattern, 'm') })),
  );
  const wrong = texts.flatMap((text) => {
    const matches = patternsFor(shippedVerbs.index, text);
    return patterns.filter(
      ({ name, number, expression }) => matches.get(name)?.includes(number) !== true && expression.test(text),
    );
  });
  expect(wrong).toEqual([]);
});
