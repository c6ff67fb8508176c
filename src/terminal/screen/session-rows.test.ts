import { expect, test } from 'vitest';

import type { SessionHit } from '../../ports/rondo-client.ts';
import { plainLook } from '../../testing/plain-look.ts';
import { sessionPickerRow, sessionRankOf } from './session-rows.ts';

const running = {
  session: 'ses_1',
  title: 'Run the tests',
  cwd: '/srv/shop',
  questions: 0,
  state: 'running',
  ending: 'completed',
  doing: 'running tests',
  updatedAt: 0,
  cost: 0,
  costIsKnown: true,
} as unknown as SessionHit;

test('a session whose process is gone is interrupted, not working', () => {
  const look = plainLook(120);
  const row = (entry: SessionHit) =>
    sessionPickerRow(entry, { rank: sessionRankOf(entry), branch: undefined, words: 'All pass.' }, look);
  expect(row(running)).toMatchObject({ glyph: '◐', group: 'Working', detail: 'Running tests' });
  expect(row({ ...running, isInterrupted: true })).toMatchObject({
    glyph: '○',
    group: 'Finished',
    detail: 'Interrupted. Opening it continues its turn.',
  });
  expect(sessionRankOf({ ...running, isInterrupted: true, questions: 1 })).toBe(0);
});
