import { expect, test } from 'vitest';

import { shippedVerbs } from './shipped-verbs.ts';
import { understand } from './transducer.ts';
import { readUnderstanding, understandingInstructions } from './understand-with-model.ts';

const read = (text: string, answer: string) => readUnderstanding(answer, understand(text), shippedVerbs);

test("[C99] a model's answer in the requested form is accepted", async () => {
  const text = 'the thing, you know';
  const answer = '```json\n{"verb":"refactor","target":"parser","readOnly":false,"confidence":0.9}\n```';
  expect(await read(text, answer)).toEqual({
    type: 'understood',
    intent: {
      ...understand(text),
      verb: 'refactor',
      category: 'mutation',
      confidence: 0.9,
      by: 'model',
      target: { type: 'text', text: 'parser' },
    },
  });
});

test.each<[string, string, string]>([
  ['is no JSON', 'refactor, I think', 'The model gave no answer of the asked form.'],
  ['is broken JSON', '{"verb": }', 'The model gave no answer of the asked form.'],
  ['has another form', '{"verb":"fix","confidence":7}', 'The model gave no answer of the asked form.'],
  [
    'names an unknown verb',
    '{"verb":"juggle","confidence":1}',
    'The model named a verb that there is not: juggle.',
  ],
])('[C99] an answer that %s is a problem', async (_, answer, problem) => {
  expect(await read('fix src/a.ts', answer)).toEqual({ type: 'unclear', problem });
});

test('[C102] a model cannot lift what the rules made read-only', async () => {
  const answer = '{"verb":"fix","readOnly":false,"confidence":1}';
  expect(await read("look at it, don't change anything", answer)).toMatchObject({
    intent: { verb: 'fix', readOnly: true },
  });
});

test('a model sees every verb', () => {
  for (const name of shippedVerbs.verbs.keys()) expect(understandingInstructions(shippedVerbs)).toContain(name);
});
