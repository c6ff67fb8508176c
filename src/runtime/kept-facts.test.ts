import { expect, test } from 'vitest';

import type { CallId } from '../kernel/ids.ts';
import type { Message } from '../kernel/message.ts';
import { keptFacts } from './kept-facts.ts';

const read = () => Promise.resolve('It must stay readable.');
const user = (text: string): Message => ({ role: 'user', text });
const reply = (text: string): Message => ({ role: 'assistant', text, calls: [] });
const called = (tool: string, args: object | string, outcome: 'success' | 'error' = 'success'): Message[] => {
  const id = `call_${tool}` as CallId;
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  return [
    { role: 'assistant', text: '', calls: [{ id, tool, args: text }] },
    { role: 'tool', call: id, tool, outcome, text: '' },
  ];
};
const nothing = { constraints: [], open: [], files: [] };

test('[C118][V14] sentences with which a user binds are kept, each once and the newest last', async () => {
  const messages = [
    user('Never push. I like blue.\nUse only tabs!'),
    reply('You must rest.'),
    user('Never push.'),
  ];
  expect(await keptFacts(messages, undefined, read)).toEqual({
    ...nothing,
    constraints: ['Use only tabs!', 'Never push.'],
  });
});

test('[C118][V14] a fact stored as a blob is read', async () => {
  const text = { blob: 'b', length: 9999, preview: 'It' } as unknown as string;
  expect(await keptFacts([user(text)], undefined, read)).toEqual({
    ...nothing,
    constraints: ['It must stay readable.'],
  });
});

test('[C118][V14] empty boxes are open until somebody ticks them', async () => {
  const messages = [user('- [ ] port the parser\n* [ ] write docs\n- [x] begin'), reply('- [X] port the parser')];
  expect(await keptFacts(messages, { ...nothing, open: ['begin', 'older'] }, read)).toEqual({
    ...nothing,
    open: ['older', 'write docs'],
  });
});

test('[C118][V14] notes are open, and a cleared list is empty', async () => {
  const add = (text: string) => called('notes', { action: 'add', text });
  expect((await keptFacts([...add('one'), ...add(' two ')], undefined, read)).open).toEqual(['one', 'two']);
  const cleared = [...add('one'), ...called('notes', { action: 'clear' }), ...add('three')];
  expect((await keptFacts(cleared, undefined, read)).open).toEqual(['three']);
});

test('[C118][V14] files are kept where a call changed them, and not where it failed, read or made no sense', async () => {
  const messages = [
    ...called('write', { path: 'a.ts' }),
    ...called('move', { path: 'b.ts', to: 'c.ts' }),
    ...called('edit', { path: 'failed.ts' }, 'error'),
    ...called('read', { path: 'read.ts' }),
    ...called('patch', 'no JSON'),
    ...called('delete', 'null'),
    ...called('create', { file: 7 }),
  ];
  expect(await keptFacts(messages, undefined, read)).toEqual({ ...nothing, files: ['a.ts', 'b.ts', 'c.ts'] });
});

test('[C118][V14] every list is bounded, and the newest win', async () => {
  const rules = Array.from({ length: 41 }, (_, index) => `Never do ${index}.`);
  const paths = Array.from({ length: 201 }, (_, index) => `${index}.ts`);
  const facts = await keptFacts([user(rules.join('\n'))], { ...nothing, files: paths, open: rules }, read);
  expect(facts).toEqual({ constraints: rules.slice(1), open: rules.slice(1), files: paths.slice(1) });
  const long = `Never ${'a'.repeat(400)}`;
  expect((await keptFacts([user(long)], undefined, read)).constraints).toEqual([long.slice(0, 300)]);
});
