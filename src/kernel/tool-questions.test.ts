import { expect, test } from 'vitest';

import { decisions, effect, events, given, question, type GivenInput } from '../testing/given.ts';
import {
  answered,
  changingCall,
  chat,
  created,
  interrupted,
  recovered,
  replied,
  toolSettled,
} from '../testing/inputs.ts';
import type { Answer, QuestionSubject } from './question.ts';

const x = changingCall('x');
/** A call that a person allowed runs as effect 8. */
const running: readonly GivenInput[] = [
  created(),
  chat('go'),
  replied('ses_1.4', '', [x]),
  answered(question(6), 'allow-once'),
];
const schema = { type: 'object', properties: { branch: { type: 'string' } } };
const toolAsked = {
  type: 'tool-asked',
  effect: effect(8),
  attempt: 1,
  key: '0',
  title: 'Which?',
  schema,
} as const;
const about: QuestionSubject = { type: 'form', title: 'Which?', schema, call: x.id, request: '0' };
const of = { effect: effect(8), attempt: 1, key: '0' } as const;

test('[C140] a running tool asks a person, and the call keeps running', () => {
  const { transition } = given(...running).when(toolAsked);
  expect(transition.events.map(({ event }) => event)).toEqual([{ type: 'question-opened', about }]);
  expect(transition.decisions).toMatchObject([{ type: 'ask', question: { about } }]);
});

test.for<[Answer, unknown]>([
  [
    { type: 'form', form: { branch: 'main' } },
    { type: 'form', form: { branch: 'main' } },
  ],
  [{ type: 'reject' }, { type: 'declined' }],
])('[C140] the answer %o goes to the tool', ([answer, text]) => {
  given(...running, toolAsked)
    .when(answered(question(9), answer))
    .then(
      events({ type: 'question-answered', question: question(9), answer }),
      decisions({ type: 'answer-tool', ...of, answer: text as never }),
    );
});

test('[C140] a question ends with its call, with its turn and with its process', () => {
  const closed = { type: 'question-closed', question: question(9), reason: 'cancelled' };
  for (const input of [toolSettled('ses_1.8'), interrupted, recovered]) {
    const { transition } = given(...running, toolAsked).when(input);
    expect(transition.events.map(({ event }) => event)).toContainEqual(closed);
    expect(transition.state.questions).toEqual([]);
  }
});

test('[C140] a late question is ignored, and a tool opens eight at most', () => {
  given(...running)
    .when({ ...toolAsked, attempt: 2 })
    .then(events(), decisions());
  const eight = Array.from({ length: 8 }, (_, index) => ({ ...toolAsked, key: String(index) }));
  given(...running, ...eight)
    .when({ ...toolAsked, key: '8' })
    .then(events(), decisions({ type: 'answer-tool', ...of, key: '8', answer: { type: 'declined' } }));
});
