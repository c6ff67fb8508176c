import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import type { Backend } from './backend.ts';
import { sessionFolderChanges } from './session-folder-changes.ts';

test('[C95] sessions that share a folder each count the lines that they changed themselves', async () => {
  const ids = ['ses_wrote', 'ses_talked'] as unknown as readonly SessionId[];
  const own = { ses_wrote: { added: 2, removed: 1 }, ses_talked: { added: 0, removed: 0 } };
  const sessions = { get: async () => ({ status: async () => ({ cwd: '/place/shop' }) }) };
  const parts = {
    sessions: sessions as unknown as Backend['sessions'],
    worktrees: { branchIn: async () => 'main' } as unknown as Parameters<
      typeof sessionFolderChanges
    >[0]['worktrees'],
    outcomes: { of: async () => own },
  };
  expect(await sessionFolderChanges(parts, ids)).toEqual({
    ses_wrote: { added: 2, removed: 1, branch: 'main' },
    ses_talked: { added: 0, removed: 0, branch: 'main' },
  });
});
