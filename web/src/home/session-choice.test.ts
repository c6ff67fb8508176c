import { expect, test } from 'vitest';

import { wordBefore } from '../session/word-before.ts';
import { likelyFolder, problemField, rememberedChoice, sessionRequest } from './session-choice.ts';

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

test('[C156] a first session begins in the project on the page, or in the one that was used last', () => {
  const project = (cwd: string, name: string, updatedAt: number) =>
    ({ cwd, name, updatedAt, group: 'earlier', sessions: 1 }) as const;
  const own = project('/place/shop', 'shop', 20);
  const site = project('/place/site', 'site', 30);
  const cart = project('/home/worktrees/cart-0a1b2c3d/fix', 'cart', 40);
  const serverFolder = '/place/shop';
  const folder = (projects: Parameters<typeof likelyFolder>[0], shown?: string) =>
    likelyFolder(projects, { serverFolder, shown });
  expect([
    folder([own, site, cart]),
    folder([own, site], 'shop'),
    folder([own, { ...site, updatedAt: 10 }]),
    folder([own, { ...site, updatedAt: 10 }], 'site'),
    folder([]),
  ]).toEqual(['/place/site', '', '', '/place/site', '']);
});
