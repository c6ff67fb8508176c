import { expect, test } from 'vitest';

import { decideClarification, type ClarifyContext } from './clarify.ts';
import { understand } from './transducer.ts';

const context: ClarifyContext = { asks: 'anyone', readBy: 'rules', open: false };
const unclear = {
  ...understand('review it'),
  ambiguity: [{ verb: 'fix', category: 'mutation', score: 60 }],
} as const;

// C104
test('two close verbs that differ in what they change are asked about, with options', () => {
  expect(decideClarification(unclear, context)).toEqual({
    type: 'ask',
    text: 'Shall I review or fix?',
    options: [
      { label: 'review (changes nothing)', verb: 'review' },
      { label: 'fix (changes files)', verb: 'fix' },
    ],
  });
});

test('a target that fits several files equally well is asked about', () => {
  const intent = understand('explain index.ts');
  expect(decideClarification(intent, { ...context, targets: ['a/index.ts', 'b/index.ts'] })).toEqual({
    type: 'ask',
    text: 'Which index.ts do you mean?',
    options: [
      { label: 'a/index.ts', target: 'a/index.ts' },
      { label: 'b/index.ts', target: 'b/index.ts' },
    ],
  });
});

test.each<[string, typeof unclear | ReturnType<typeof understand>, Partial<ClarifyContext>, string]>([
  [
    'both change nothing',
    { ...unclear, ambiguity: [{ verb: 'audit', category: 'query', score: 60 }] },
    {},
    'The request is clear enough.',
  ],
  ['one file fits', understand('explain index.ts'), { targets: ['a/index.ts'] }, 'The request is clear enough.'],
  ['the verb was typed', { ...unclear, by: 'typed' }, {}, 'The request is clear enough.'],
  ['a model reads the prompt', unclear, { readBy: 'model' }, 'The model reads the prompt and can ask.'],
  ['nobody can be asked', unclear, { asks: 'nobody' }, 'Nobody can be asked; taken as review.'],
  ['a question is open', unclear, { open: true }, 'A question is open already.'],
])('nothing is asked where %s', (_, intent, given, reason) => {
  expect(decideClarification(intent, { ...context, ...given })).toEqual({ type: 'proceed', reason });
});
