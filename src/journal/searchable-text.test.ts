import { expect, test } from 'vitest';

import { system } from '../kernel/actor.ts';
import type { SessionId } from '../kernel/ids.ts';
import { encodeRecord } from './codec.ts';
import { excerptOf, holdsWords, searchableText } from './searchable-text.ts';

const blobs = { get: (hash: string) => Promise.resolve(hash === 'kept' ? 'the whole text' : undefined) };
const textOf = (...events: readonly object[]) => {
  const record = { at: 1, by: system, events: events.map((event) => JSON.stringify(event)) };
  return searchableText(encodeRecord('ses_1' as SessionId, 1, record), blobs);
};
const message = (text: unknown) => ({ type: 'agent-reported', report: { type: 'message', text } });

test('searches prompts and replies, not tool results or reasoning', async () => {
  const text = await textOf(
    { type: 'session-created', title: 'title' },
    { type: 'prompt-received', request: { type: 'chat', text: 'asked' } },
    { type: 'prompt-received', request: { type: 'task', calls: [] } },
    { type: 'model-settled', outcome: { type: 'completed', text: 'answered', calls: [] } },
    { type: 'model-settled', outcome: { type: 'failed', message: 'down', partial: 'half' } },
    message('hosted'),
    { type: 'agent-reported', report: { type: 'thought', text: 'thought' } },
    { type: 'worker-reported', report: { text: 'reported' } },
    { type: 'tool-settled', result: { type: 'success', output: 'listed' } },
  );
  expect(text).toBe('title\nasked\nanswered\nhalf\nhosted\nreported');
});

test('content in a blob is searched whole, and by its opening where the blob is gone', async () => {
  const reference = (blob: string) => ({ blob, length: 9999, preview: 'the opening' });
  expect(await textOf(message(reference('kept')))).toBe('the whole text');
  expect(await textOf(message(reference('gone')))).toBe('the opening');
});

test('every word of a query begins a word of the text', () => {
  expect(holdsWords('Port the Parser', 'pars por')).toBe(true);
  expect(holdsWords('Port the Parser', 'port arser')).toBe(false);
});

test('an excerpt shows the text around the first of the words', () => {
  const text = `${'before '.repeat(20)}needle ${'after '.repeat(40)}`;
  const excerpt = excerptOf(text, 'needle');
  expect(excerpt).toBe(`…${text.slice(100, 260)}…`);
  expect(excerptOf('a short  text', 'text')).toBe('a short text');
  expect(excerptOf('a short text', 'absent')).toBe('a short text');
});
