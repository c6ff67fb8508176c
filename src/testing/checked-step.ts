import assert from 'node:assert';

import type { Event } from '../kernel/event.ts';
import { evolve } from '../kernel/evolve/evolve.ts';
import { step, type Step } from '../kernel/decide/step.ts';

/**
 * The kernel's step for tests of live sessions. Checks that a restart would read the live state: the state survives
 * JSON, and the stored events fold to it.
 */
export const checkedStep: Step = (state, input) => {
  const transition = step(state, input);
  const folded = transition.events.reduce(
    (before, recorded) => evolve(before, { ...recorded, event: asRead(recorded.event) }),
    state,
  );
  assert.deepStrictEqual(JSON.parse(JSON.stringify(transition.state)), transition.state, `after ${input.type}`);
  assert.deepStrictEqual(folded, transition.state, `after ${input.type}, folded`);
  return transition;
};

function asRead(event: Event): Event {
  return JSON.parse(JSON.stringify(event)) as Event;
}
