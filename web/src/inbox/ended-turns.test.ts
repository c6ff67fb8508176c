import { expect, test } from 'vitest';

import { directoryEntry } from '../../../src/testing/contracts/journal-samples.ts';
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import type { Directory } from '../home/directory.ts';
import { endedTurns, endedWords } from './ended-turns.ts';

const entry = (session: string, changes: Partial<DirectoryEntry>): [string, DirectoryEntry] => [
  session,
  directoryEntry(session as DirectoryEntry['session'], { createdAt: 0, updatedAt: 0, title: session, ...changes }),
];

test('[C95] a turn has ended where a session was at work and is idle, and no worker of another one', () => {
  const before: Directory = new Map([
    entry('ses_done', { state: 'running', workingSince: 1000 }),
    entry('ses_still', { state: 'running', workingSince: 1000 }),
    entry('ses_child', { state: 'running', parent: 'ses_done' as DirectoryEntry['session'] }),
    entry('ses_closed', { state: 'waiting' }),
    entry('ses_idle', {}),
  ]);
  const now: Directory = new Map([
    entry('ses_done', { updatedAt: 5000 }),
    entry('ses_still', { state: 'running', updatedAt: 5000 }),
    entry('ses_child', { parent: 'ses_done' as DirectoryEntry['session'] }),
    entry('ses_closed', { state: 'closed' }),
    entry('ses_idle', { updatedAt: 9 }),
    entry('ses_new', {}),
  ]);
  expect(endedTurns(before, now).map(({ entry: { session }, ms }) => [session, ms])).toEqual([['ses_done', 4000]]);
});

test('[C95] a failed turn is not announced as done, and a stopped one not at all', () => {
  const before: Directory = new Map(
    ['ses_done', 'ses_broke', 'ses_late', 'ses_stopped'].map((session) => entry(session, { state: 'running' })),
  );
  const problem = 'the disk is full';
  const now: Directory = new Map([
    entry('ses_done', { updatedAt: 5000, ending: 'completed' }),
    entry('ses_broke', { updatedAt: 5000, ending: 'failed', problem }),
    entry('ses_late', { updatedAt: 5000, ending: 'timed-out' }),
    entry('ses_stopped', { updatedAt: 5000, ending: 'cancelled' }),
  ]);
  expect(endedTurns(before, now).map(endedWords)).toEqual([
    { tone: 'good', title: 'ses_done is done', text: 'After 5.0s' },
    { tone: 'bad', title: 'ses_broke failed', text: 'the disk is full' },
    { tone: 'bad', title: 'ses_late failed', text: 'After 5.0s' },
  ]);
});
