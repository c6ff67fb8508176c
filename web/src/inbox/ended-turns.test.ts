import { expect, test } from 'vitest';

import { directoryEntry } from '../../../src/testing/contracts/journal-samples.ts';
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import type { Directory } from '../home/directory.ts';
import { endedTurns } from './ended-turns.ts';

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
