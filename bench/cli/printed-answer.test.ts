import { expect, test } from 'vitest';

import { hasPrintedAnswer, hasPrintedFirstToken } from './printed-answer.ts';

const answer = 'zebra one zebra two';
const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

test.each([
  ['as it is', 'zebra one zebra two\n'],
  ['whole in a line of JSON', lines({ type: 'started' }, { item: { text: answer } })],
  ['in pieces', lines({ delta: 'zebra' }, { delta: ' one' }, { delta: ' zebra' }, { delta: ' two' })],
  ['in pieces, then whole', lines({ delta: 'zebra one' }, { delta: ' zebra two' }, { result: answer })],
])('an answer printed %s is found', (_, printed) => {
  expect(hasPrintedAnswer(printed, answer)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['only its beginning', lines({ delta: 'zebra' }, { delta: ' one' })],
  ['its words in another order', 'zebra two zebra one\n'],
  ['an error', lines({ type: 'error', message: 'no model answered' })],
])('%s is no answer', (_, printed) => {
  expect(hasPrintedAnswer(printed, answer)).toBe(false);
});

test('the first token is there with its whole word, not with what a command prints of itself before', () => {
  const started = lines({ type: 'started', model: 'fake' });
  expect(
    [started, `${started}{"delta":"zeb`, `${started}{"delta":"zebra`].map((printed) =>
      hasPrintedFirstToken(printed, answer),
    ),
  ).toEqual([false, false, true]);
});
