import { expect, test } from 'vitest';

import type { State } from '../kernel/state.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { given } from '../testing/given.ts';
import { chat, created } from '../testing/inputs.ts';
import { drainSessions } from './ownership/drain-sessions.ts';
import type { LiveSession } from './live/live-session.ts';
import { newTurnWatch, watchEvent } from './live/turn-watch.ts';
import { system } from '../kernel/actor.ts';

const busyState = given(created(), chat('hi')).state;
const idleState = given(created()).state;
const restoring = {
  ...idleState,
  phase: { type: 'restoring', restore: { effect: 'ses_1.4' } },
} as unknown as State;

function live(state: State) {
  const done: string[] = [];
  const turns = newTurnWatch();
  const boundary = Promise.withResolvers<void>();
  const session = {
    state,
    turns,
    submit: async ({ type }: { type: string }, { by }: { by: { name: string } }) =>
      void done.push(`${type} by ${by.name}`),
    boundary: () => (done.push('boundary'), boundary.promise),
  } as unknown as LiveSession;
  const endTurn = () =>
    watchEvent(turns, { seq: 9, at: 1, by: system, event: { type: 'turn-ended', ending: { type: 'completed' } } });
  return { session, done, endTurn, boundary };
}

function drained(lives: readonly LiveSession[], options: { deadline: number; cancel?: boolean }) {
  const clock = createFakeClock();
  let isOver = false;
  const over = drainSessions(lives, { cancel: false, ...options, clock }).then(() => (isOver = true));
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { clock, over, settle, isOver: () => isOver };
}

test('[O7] running turns are waited for, and no longer than the deadline', async () => {
  const [a, b, idle] = [live(busyState), live(busyState), live(idleState)];
  const draining = drained([a.session, b.session, idle.session], { deadline: 1000 });
  a.endTurn();
  await draining.settle();
  expect(draining.isOver()).toBe(false);
  b.endTurn();
  await draining.settle();
  expect(draining.isOver()).toBe(true);
  const late = drained([live(busyState).session], { deadline: 1000 });
  await late.clock.advance(999);
  expect(late.isOver()).toBe(false);
  await late.clock.advance(1);
  await late.over;
});

test('[O7] [P6] sessions to cancel are interrupted first, and only busy ones', async () => {
  const [busy, idle] = [live(busyState), live(idleState)];
  await drained([busy.session, idle.session], { deadline: 0, cancel: true }).over;
  expect([busy.done, idle.done]).toEqual([['interrupted by host'], []]);
  const left = live(busyState);
  await drained([left.session], { deadline: 0 }).over;
  expect(left.done).toEqual([]);
});

test('[O7] a restore belongs to no turn: its boundary is waited for', async () => {
  const { session, done, boundary } = live(restoring);
  const draining = drained([session], { deadline: 1000 });
  await draining.settle();
  expect([done, draining.isOver()]).toEqual([['boundary'], false]);
  boundary.resolve();
  await draining.over;
});
