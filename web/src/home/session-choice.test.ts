import { expect, test } from 'vitest';

import { formFields, formValue } from '../inbox/question-form.ts';
import { wordBefore } from '../session/word-before.ts';
import { sessionRequest } from './session-choice.ts';

test('only what was chosen is asked for', () => {
  const standard = {
    prompt: 'x',
    agent: '',
    mode: 'interactive',
    model: ' ',
    cwd: '',
    worktree: false,
    cost: null,
    tokens: null,
    steps: null,
  };
  expect(sessionRequest(standard)).toEqual({});
  expect(
    sessionRequest({ ...standard, agent: 'coder', mode: 'batch', worktree: true, cost: 1.5, tokens: 0 }),
  ).toEqual({
    agent: 'coder',
    mode: 'batch',
    worktree: true,
    limits: { cost: 1.5 },
  });
});

test('a form is asked for and filled in by its schema', () => {
  const fields = formFields({
    properties: {
      name: { type: 'string', title: 'Name' },
      age: { type: 'integer' },
      ok: { type: 'boolean' },
      size: { enum: ['s', 'm'] },
    },
    required: ['name'],
  });
  expect(fields).toEqual([
    { name: 'name', title: 'Name', type: 'text', options: [], required: true },
    { name: 'age', title: 'age', type: 'number', options: [], required: false },
    { name: 'ok', title: 'ok', type: 'boolean', options: [], required: false },
    { name: 'size', title: 'size', type: 'text', options: ['s', 'm'], required: false },
  ]);
  expect(formValue(fields, { name: 'Ada', age: '36' })).toEqual({ name: 'Ada', age: 36, ok: false });
});

test('the word before the cursor is what is completed', () => {
  expect(wordBefore('read @src/a and', 11)).toEqual({ word: '@src/a', from: 5 });
  expect(wordBefore('two ', 4)).toEqual({ word: '', from: 4 });
});
