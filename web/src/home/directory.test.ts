import { expect, test } from 'vitest';

import type { DirectoryEntry } from '../../../src/views/directory.ts';
import {
  byAttention,
  byProject,
  directoryWith,
  matchingEntries,
  projectName,
  type Directory,
} from './directory.ts';

const entry = (session: string, changes: Partial<DirectoryEntry> = {}): DirectoryEntry => ({
  session: session as DirectoryEntry['session'],
  createdAt: 0,
  updatedAt: 0,
  title: session,
  agent: 'assistant',
  mode: 'interactive',
  cwd: '/place/shop',
  state: 'idle',
  questions: 0,
  queued: 0,
  turns: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  costIsKnown: true,
  ...changes,
});
const all = [
  entry('ses_old', { updatedAt: 1 }),
  entry('ses_new', { updatedAt: 9, cwd: '/place/site' }),
  entry('ses_busy', { updatedAt: 5, state: 'running' }),
  entry('ses_asks', { updatedAt: 2, state: 'running', questions: 1 }),
  entry('ses_gone', { updatedAt: 8, state: 'closed' }),
];
const names = (entries: readonly DirectoryEntry[]) => entries.map(({ session }) => session);

test('whoever waits for a person stands first, then what is at work, then the rest by how fresh it is', () => {
  expect(
    byAttention(matchingEntries(all, { words: '', state: 'all' })).map((group) => [
      group.name,
      names(group.entries),
    ]),
  ).toEqual([
    ['Needs you', ['ses_asks']],
    ['Working', ['ses_busy']],
    ['Idle', ['ses_new', 'ses_old']],
    ['Ended', ['ses_gone']],
  ]);
});

test('sessions are found by words, state and project', () => {
  expect(names(matchingEntries(all, { words: 'SITE ses', state: 'open' }))).toEqual(['ses_new']);
  expect(names(matchingEntries(all, { words: '', state: 'waiting' }))).toEqual(['ses_asks']);
  expect(
    byProject(matchingEntries(all, { words: '', state: 'open' })).map(({ name }) => projectName(name)),
  ).toEqual(['shop', 'site']);
});

test('a worktree of ours goes by the name of its project', () => {
  const places = ['/place/shop', '/home/worktrees/shop-4bee225f/ses_1m7h9', '/home/worktrees/shop/feature', '/'];
  expect(places.map(projectName)).toEqual(['shop', 'shop', 'feature', '/']);
});

test('an entry that comes late changes nothing that is newer', () => {
  const known: Directory = new Map([['ses_new', entry('ses_new', { updatedAt: 9 })]]);
  const next = directoryWith(known, {
    entries: [entry('ses_new', { updatedAt: 3, title: 'older' }), entry('ses_2')],
  });
  expect([...next.values()].map(({ session, title }) => [session, title])).toEqual([
    ['ses_new', 'ses_new'],
    ['ses_2', 'ses_2'],
  ]);
});
