import { expect, test } from 'vitest';

import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { asFault, refusedAppend } from './session-fault.ts';

const [id, other] = ['ses_1', 'ses_2'] as SessionId[] as [SessionId, SessionId];

test('[P4] each refusal of an append becomes a fault that says what happened and what to do', () => {
  const damage = { session: id, seq: 4, reason: 'bad' };
  const faults = [
    refusedAppend(id, { type: 'conflict', seq: 7 }, 5),
    refusedAppend(id, { type: 'conflict', seq: 2 }, 5),
    refusedAppend(id, { type: 'created-before', session: other, digest: 'd' }, 0),
    refusedAppend(id, { type: 'origin-missing', session: other }, 0),
    refusedAppend(id, { type: 'fenced', epoch: 3 }, 5),
    refusedAppend(id, { type: 'damaged', damage }, 5),
  ];
  expect(faults.map(({ code, message }) => [code, message])).toEqual([
    ['closed', "Can't write to session ses_1: another process has written up to event 7. Open it again."],
    [
      'damaged',
      "Can't write to session ses_1: the store acknowledged 5 events and now has 2. It lost writes, or an older copy replaced it. Nothing more is done; check the store before you open the session again.",
    ],
    ['closed', "Can't create session ses_1: its key already created session ses_2. Nothing was written."],
    [
      'not-found',
      "Can't create session ses_1: session ses_2, which it continues, was removed. Nothing was written.",
    ],
    ['closed', "Can't write to session ses_1: another process owns it now (epoch 3). Nothing was written."],
    [
      'damaged',
      "Can't write to session ses_1: its journal is damaged at event 4 (bad). It can be read up to there; run `rondo doctor --repair`.",
    ],
  ]);
});

test('[P2] anything thrown becomes a fault: itself, or one of ours with the error as its cause', () => {
  const fault = new Fault('disk-full', 'The disk is full.');
  expect(asFault(id, fault)).toBe(fault);
  const error = new Error('no such field');
  expect(asFault(id, error)).toMatchObject({
    code: 'internal',
    message:
      'Session ses_1 stopped on an internal error: no such field. Its records are kept; open it again to resume.',
    cause: error,
  });
  expect(asFault(id, 'words').message).toContain('an internal error: words.');
});
