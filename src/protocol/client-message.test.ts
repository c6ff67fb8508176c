import { expect, test } from 'vitest';

import { readClientMessage, type clientMessages } from './client-message.ts';

const session = 'ses_01abc';
const samples = {
  hello: { v: 1, type: 'hello', token: 't', client: 'test' },
  'session.create': { v: 1, type: 'session.create', id: '1', key: 'k', session: { agent: 'assistant' } },
  'session.follow': { v: 1, type: 'session.follow', session, after: 0 },
  'session.unfollow': { v: 1, type: 'session.unfollow', session },
  'session.input': {
    v: 1,
    type: 'session.input',
    id: '1',
    session,
    key: 'k',
    input: { type: 'chat', text: 'hi' },
  },
  'session.stop': { v: 1, type: 'session.stop', id: '1', session },
  'question.answer': {
    v: 1,
    type: 'question.answer',
    id: '1',
    question: 'q_01',
    answer: { choice: 'allow-once' },
  },
  'directory.follow': { v: 1, type: 'directory.follow' },
  'questions.follow': { v: 1, type: 'questions.follow' },
  ping: { v: 1, type: 'ping' },
} satisfies Record<keyof typeof clientMessages, unknown>;

test.each(Object.values(samples))('[C85] the message $type is read as it was sent', (message) => {
  expect(readClientMessage(JSON.stringify(message))).toEqual({ type: 'message', message });
});

test.each(Object.values(samples))(
  '[C85] the message $type with something that is not in it is refused',
  (message) => {
    expect(readClientMessage(JSON.stringify({ ...message, surplus: 1 }))).toMatchObject({
      type: 'error',
      error: { code: 'INVALID_MESSAGE' },
    });
  },
);

const errorOf = (text: string) => {
  const read = readClientMessage(text);
  return read.type === 'error' ? `${read.error.code}: ${read.error.message}` : read.type;
};

test('[C84] requires version and type, and names the missing one', () => {
  expect([
    errorOf('{"type":"ping"}'),
    errorOf('{"v":1}'),
    errorOf('{}'),
    errorOf('{"v":"1","type":7}'),
    errorOf('{"v":2,"type":"ping"}'),
    errorOf('[{"v":1,"type":"ping"}]'),
    errorOf('{"v":1,"v":1,"type":"ping"}'),
    errorOf('{"v":1,"type":"pong"}'),
    errorOf('{"v":1,"type":"session.follow","session":7}'),
    errorOf('nope'),
  ]).toEqual([
    'INVALID_MESSAGE: A message needs "v", a number.',
    'INVALID_MESSAGE: A message needs "type", a text.',
    'INVALID_MESSAGE: A message needs "v", a number and "type", a text.',
    'INVALID_MESSAGE: A message needs "v", a number and "type", a text.',
    'VERSION_MISMATCH: This server speaks version 1; the message has version 2.',
    'INVALID_MESSAGE: A message must be a JSON object.',
    'INVALID_MESSAGE: Can\'t parse the message: the key "v" stands in it twice.',
    'INVALID_MESSAGE: Unknown message "pong". Did you mean "ping"?',
    'INVALID_MESSAGE: session.follow: session: Invalid input: expected string, received number.',
    "INVALID_MESSAGE: Can't parse the message: it is not JSON.",
  ]);
});

test('an error names the message it is about', () => {
  expect(readClientMessage('{"v":1,"type":"session.stop","id":"7"}')).toMatchObject({ type: 'error', id: '7' });
});
