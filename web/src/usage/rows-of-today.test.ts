import { expect, test } from 'vitest';

import type { SessionRow } from '../../../src/views/session-row.ts';
import { rowsOfToday } from './rows-of-today.ts';

const row = (session: string, changes: Partial<SessionRow>) =>
  ({ session, state: 'idle', turns: 1, updatedAt: 20, ...changes }) as SessionRow;

test('[C95] today includes what waits or works since an earlier day, and each session once', () => {
  const found = [
    row('waits', { state: 'waiting', turns: 0, updatedAt: 5 }),
    row('asked by a worker', { team: { active: 1, waiting: 1 }, updatedAt: 5 }),
    row('works', { state: 'running', updatedAt: 5 }),
    row('changed', {}),
    row('waits', { state: 'waiting', turns: 0, updatedAt: 5 }),
    row('yesterday', { updatedAt: 5 }),
    row('empty', { turns: 0 }),
  ];
  expect(rowsOfToday(found, 10).map(({ session }) => session)).toEqual([
    'waits',
    'asked by a worker',
    'works',
    'changed',
  ]);
});
