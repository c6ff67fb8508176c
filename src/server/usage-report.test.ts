import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import { createUsageReports } from './usage-report.ts';

const entries = Array.from({ length: 200 }, (_, number) => ({
  session: `ses_${number}` as SessionId,
  updatedAt: number,
  agent: 'assistant',
  turns: 1,
  inputTokens: 10,
  outputTokens: 1,
  cost: 0.5,
  costIsKnown: true,
}));

test('[C95] a report over many journals lets other requests go first', async () => {
  const sessions = { list: () => Promise.resolve({ entries }), get: () => Promise.resolve(undefined) };
  const reports = createUsageReports({ sessions } as unknown as Parameters<typeof createUsageReports>[0]);
  let others = 0;
  let isDone = false;
  const other = (): void => {
    others += 1;
    if (!isDone) setImmediate(other);
  };
  setImmediate(other);
  const { totals } = await reports.by('day', { withTime: false });
  isDone = true;
  expect({ sessions: totals.sessions, cost: totals.cost }).toEqual({ sessions: 200, cost: 100 });
  expect(others).toBeGreaterThan(5);
});
