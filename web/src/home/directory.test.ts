import { expect, test } from 'vitest';

import { directoryEntry } from '../../../src/testing/contracts/journal-samples.ts';
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import { projectName } from '../../../src/views/session-row.ts';
import { directoryWith, titleOf, type Directory } from './directory.ts';

const entry = (session: string, changes: Partial<DirectoryEntry> = {}): DirectoryEntry =>
  directoryEntry(session as DirectoryEntry['session'], {
    createdAt: 0,
    updatedAt: 0,
    title: session,
    cwd: '/place/shop',
    ...changes,
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

test('a title cannot turn the text after it around', () => {
  expect(titleOf(entry('ses_1', { title: 'Fix \u202Egnp.exe' }))).toBe('Fix ‹U+202E›gnp.exe');
});
