import { expect, test } from 'vitest';

import { wordBefore } from '../session/word-before.ts';
import { problemField, rememberedChoice, sessionRequest } from './session-choice.ts';

test('only chosen options are sent', () => {
  const standard = {
    prompt: 'x',
    agent: '',
    mode: 'interactive',
    model: ' ',
    cwd: '',
    worktree: false,
    repository: '',
    ref: '',
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
    title: 'x',
    limits: { cost: 1.5 },
  });
});

test('[C154] a repository is cloned instead of a folder or a worktree', () => {
  const repository = 'https://git.example.org/shop.git';
  const choice = {
    ...rememberedChoice(),
    prompt: 'x',
    cwd: '/place',
    worktree: true,
    repository: ` ${repository} `,
  };
  expect(sessionRequest({ ...choice, ref: 'main' })).toEqual({
    title: 'x',
    repository: { url: repository, ref: 'main' },
  });
  expect(problemField('git clone failed', choice)).toBe('repository');
});

test('the word before the cursor is what is completed', () => {
  expect(wordBefore('read @src/a and', 11)).toEqual({ word: '@src/a', from: 5 });
  expect(wordBefore('two ', 4)).toEqual({ word: '', from: 4 });
});
