import { expect, test } from 'vitest';

import { isTransitionError, nextLifecycle, type LifecycleEvent, type LifecycleState } from './lifecycle.ts';

const events: readonly LifecycleEvent[] = ['spawn', 'attach', 'terminate', 'clean'];

/** Rows are states, columns are `spawn`, `attach`, `terminate`, `clean`. A dash is a refusal. */
const table: Readonly<Record<LifecycleState, readonly string[]>> = {
  created: ['spawning', '-', 'terminating', '-'],
  spawning: ['-', 'active', 'terminating', '-'],
  active: ['-', '-', 'terminating', '-'],
  terminating: ['-', '-', 'terminating', 'cleaned'],
  cleaned: ['-', '-', '-', '-'],
};

test('[C82] the five states meet the four events as the table says', () => {
  const states = Object.keys(table) as readonly LifecycleState[];
  const actual = Object.fromEntries(
    states.map((state) => [
      state,
      events.map((event) => {
        const next = nextLifecycle(state, event);
        return isTransitionError(next) ? '-' : next;
      }),
    ]),
  );
  expect(actual).toEqual(table);
});

test('[C82] a refusal names the state, the event and the reason', () => {
  expect(nextLifecycle('cleaned', 'attach')).toEqual({
    type: 'transition-error',
    state: 'cleaned',
    event: 'attach',
    reason: 'the session is cleaned and over',
  });
});
