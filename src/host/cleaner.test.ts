import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createCleaner } from './cleaner.ts';
import type { HostedSession } from './hosted-session.ts';

const session: HostedSession = {
  id: 'ses_1' as SessionId,
  agent: 'coder',
  runs: 'external',
  role: 'main',
  state: 'terminating',
  createdAt: 0,
  lastActiveAt: 0,
  messages: 0,
};

function cleanerFor(agents: readonly string[], failing?: string) {
  const log: string[] = [];
  const clock = createFakeClock({ now: 0 });
  const note = (step: string) => async () => {
    log.push(step);
    if (step === failing) throw new Error('no');
  };
  const cleaner = createCleaner<string>({
    clock,
    onProblem: (message) => log.push(`problem: ${message}`),
    steps: {
      stopIntake: note('intake'),
      agentsOf: () => agents,
      async endAgent(agent) {
        log.push(`end ${agent}`);
        if (agent === 'hung') await new Promise(() => {});
      },
      killAgent: async (agent) => void log.push(`kill ${agent} at ${clock.now()}`),
      closePipes: note('pipes'),
      closeSockets: note('sockets'),
      releaseWorktree: note('worktree'),
      closeStore: note('store'),
    },
  });
  return { cleaner, clock, log };
}

test('[C91] stops the intake first and closes the store last', async () => {
  const { cleaner, log } = cleanerFor(['a', 'b']);
  await cleaner.clean(session, undefined);
  expect(log).toEqual(['intake', 'end a', 'end b', 'pipes', 'sockets', 'worktree', 'store']);
});

test('[C91] a hung agent is killed at five seconds and holds up no other', async () => {
  const { cleaner, clock, log } = cleanerFor(['hung', 'b']);
  const done = cleaner.clean(session, undefined);
  await clock.advance(4999);
  expect(log).toEqual(['intake', 'end hung', 'end b']);
  await clock.advance(1);
  await done;
  expect(log).toEqual([
    'intake',
    'end hung',
    'end b',
    'kill hung at 5000',
    'pipes',
    'sockets',
    'worktree',
    'store',
  ]);
});

test('[C91] a step that fails is reported and holds up none after it', async () => {
  const { cleaner, log } = cleanerFor([], 'pipes');
  await cleaner.clean(session, undefined);
  expect(log).toEqual([
    'intake',
    'pipes',
    'problem: closing the pipes of session ses_1 failed',
    'sockets',
    'worktree',
    'store',
  ]);
});
