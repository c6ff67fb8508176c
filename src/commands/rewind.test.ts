import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import type { SessionFileChange } from '../ports/session-changes.ts';
import { resultLines } from './lines/result-lines.ts';
import { rewoundTo } from './rewind.ts';

const pot: SessionFileChange = { path: 'pot.txt', status: 'modified', added: 1, removed: 1 };

test('[C119] every front end names the files that were changed outside the session before it rewound them', async () => {
  const session = {
    id: 'ses_1' as SessionId,
    changes: async () => ({ type: 'diff' as const, changes: [pot, { ...pot, path: 'own.txt', isForeign: true }] }),
    rewind: async () => ({
      type: 'rewound' as const,
      files: { type: 'restored' as const, restored: ['pot.txt', 'own.txt'], removed: [], blocked: [] },
    }),
    read: async () => '',
  };
  const rewound = await rewoundTo(session, { event: 4 }, 'files');
  expect(rewound).toMatchObject({ foreign: ['own.txt'] });
  expect(await resultLines(rewound)).toContain('Changed outside this session since its last turn: own.txt');
});
