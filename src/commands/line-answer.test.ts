import { expect, test } from 'vitest';

import type { CallId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { Answer, QuestionSubject } from '../kernel/question.ts';
import { answerFrom } from './line-answer.ts';

const approval = {
  type: 'approval',
  call: 'c1' as CallId,
  tool: 'shell',
  rule: 'default',
  reason: '',
  grants: ['shell(ls)'],
} as const;
const ungrantable = { ...approval, grants: [] };
const choice = { type: 'clarification', text: 'Which?', options: ['Red', 'Blue'] } as const;
const form = { type: 'form', title: 'Who?', schema: {} } as const;

const cases: readonly (readonly [string, QuestionSubject, string, Answer | undefined])[] = [
  ['y allows once', approval, 'y', { type: 'allow-once' }],
  ['Yes allows once', approval, 'Yes', { type: 'allow-once' }],
  ['s allows for the session', approval, 's', { type: 'allow-session' }],
  ['so does t, as in the first release', approval, 't', { type: 'allow-session' }],
  ['a allows always', approval, 'A', { type: 'allow-always' }],
  ['n rejects', approval, 'n', { type: 'reject' }],
  ['anything else is the reason of a no', approval, 'use pnpm', { type: 'reject', reason: 'use pnpm' }],
  ['an empty line leaves it open', approval, '', undefined],
  ['what saves no rule holds once', ungrantable, 's', undefined],
  ['a number picks an option', choice, '2', { type: 'option', option: 'Blue' }],
  ['so does its name', choice, 'red', { type: 'option', option: 'Red' }],
  ['other words are an answer of their own', choice, 'green', { type: 'text', text: 'green' }],
  ['a form is JSON', form, '{"a":1}', { type: 'form', form: { a: 1 } }],
  ['what is no JSON fills no form', form, 'a', undefined],
  ['a form with one field of text is that text', oneField(), 'Ada', { type: 'form', form: { name: 'Ada' } }],
  ['with one choice, its number', oneField(['x', 'y']), '2', { type: 'form', form: { name: 'y' } }],
  ['or its name', oneField(['x', 'y']), 'X', { type: 'form', form: { name: 'x' } }],
  ['and nothing else', oneField(['x', 'y']), 'z', undefined],
];

function oneField(values?: readonly string[]): QuestionSubject {
  const name = { type: 'string', ...optional({ enum: values }) };
  return { type: 'form', title: 'Who?', schema: { properties: { name } } };
}

test.each(cases)('[C40] %s', (_, about, words, answer) => {
  expect(answerFrom(about, words)).toEqual(answer);
});
