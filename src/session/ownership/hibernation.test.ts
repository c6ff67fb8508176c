import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { newState, type State } from '../../kernel/state.ts';
import { timeAt } from '../../kernel/time.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { given } from '../../testing/given.ts';
import { chat, created } from '../../testing/inputs.ts';
import { createHibernation } from './hibernation.ts';
import type { LiveSession } from '../live/live-session.ts';

const id = 'ses_1' as SessionId;

function setUp({
  state = newState(id),
  keeps = false,
  ...more
}: { readonly state?: State; readonly keeps?: boolean } & Partial<LiveSession> = {}) {
  const clock = createFakeClock();
  const done: string[] = [];
  const live = {
    id,
    state,
    isQuiet: () => true,
    isListenedTo: () => false,
    turns: { waiters: [] },
    ...more,
  } as unknown as LiveSession;
  const lives = new Map([[id, live]]);
  const sleep = createHibernation({
    lives,
    clock,
    afterMs: 1000,
    keepsProcesses: () => keeps,
    letGo: async (session) => {
      lives.delete(session.id);
      done.push(`let go of ${session.id}`);
    },
    wake: (session) => void done.push(`wake ${session}`),
  });
  return { clock, done, lives, sleep, live };
}

const waiting = (until: number): State => ({
  ...newState(id),
  waits: [{ until: timeAt(until) }, { until: timeAt(until + 5000) }] as unknown as State['waits'],
});

test('[P10] a session that nobody uses for a while leaves memory', async () => {
  const { clock, done, sleep } = setUp();
  sleep.used(id);
  await clock.advance(600);
  sleep.used(id);
  await clock.advance(900);
  expect(done).toEqual([]);
  await clock.advance(600);
  expect(done).toEqual(['let go of ses_1']);
});

test.each<[string, Parameters<typeof setUp>[0]]>([
  ['is in the middle of a transition', { isQuiet: () => false }],
  ['is listened to', { isListenedTo: () => true }],
  ['is waited for', { turns: { waiters: [{}] } as unknown as LiveSession['turns'] }],
  ['has an effect in flight', { state: given(created(), chat('hi')).state }],
  ['keeps processes', { keeps: true }],
  ['has waits and a time ahead of the clock', { state: { ...waiting(1e12), updatedAt: timeAt(1e13) } }],
])('[P10] a session that %s stays', async (_, parts) => {
  const { clock, done, sleep } = setUp(parts);
  sleep.used(id);
  await clock.advance(10_000);
  expect(done).toEqual([]);
});

test('[P10] a session that sleeps with a timer is woken when the first of its waits is due', async () => {
  const started = setUp();
  const due = started.clock.now() + 60_000;
  const { clock, done, sleep } = setUp({ state: waiting(due) });
  sleep.used(id);
  await clock.advance(5000);
  expect(done).toEqual(['let go of ses_1']);
  await clock.advance(60_000);
  expect(done).toEqual(['let go of ses_1', 'wake ses_1']);
});

test('[P10] one that is forgotten is woken no more, and after a stop nothing falls asleep', async () => {
  const due = setUp().clock.now() + 60_000;
  const forgotten = setUp({ state: waiting(due) });
  forgotten.sleep.used(id);
  await forgotten.clock.advance(5000);
  forgotten.sleep.forget(id);
  await forgotten.clock.advance(100_000);
  expect(forgotten.done).toEqual(['let go of ses_1']);
  const stopped = setUp();
  stopped.sleep.used(id);
  stopped.sleep.stop();
  await stopped.clock.advance(10_000);
  expect(stopped.done).toEqual([]);
  const asleep = setUp({ state: waiting(due) });
  asleep.sleep.used(id);
  await asleep.clock.advance(5000);
  asleep.sleep.stop();
  await asleep.clock.advance(100_000);
  expect(asleep.done).toEqual(['let go of ses_1']);
});

test('[P10] using a session that is not here arms nothing', async () => {
  const { clock, done, sleep, lives, live } = setUp();
  lives.clear();
  sleep.used(id);
  lives.set(id, live);
  await clock.advance(10_000);
  expect(done).toEqual([]);
});
