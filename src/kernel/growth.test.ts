import { describe, expect, test } from 'vitest';

import { effect, given, stepSoundly, played } from '../testing/given.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  compactionRequested,
  created,
  replied,
  summed,
  toolSettled,
} from '../testing/inputs.ts';
import type { Recorded } from './event.ts';
import type { InputBody } from './input.ts';
import { modes } from './mode.ts';
import { turnOf, type State } from './state.ts';
import { step, type Transition } from './decide/step.ts';
import { timeAt } from './time.ts';

interface Measured {
  readonly state: State;
  /** Bytes of the state, and events and bytes added by its last turn. */
  readonly stateBytes: number;
  readonly turnEvents: number;
  readonly turnBytes: number;
}

const by = { type: 'person', name: 'ann' } as const;

/** Turns with a read, a guarded change that is allowed for the session, and an answer. */
function after(turns: number, setup: Parameters<typeof created>[0] = {}): Measured {
  let state = given(created(setup)).state;
  let added: Recorded[] = [];
  const take = (input: InputBody): Transition => {
    const transition = step(state, { ...input, at: timeAt(1_000_000), by });
    state = transition.state;
    added.push(...transition.events);
    return transition;
  };
  for (let turn = 0; turn < turns; turn += 1) {
    added = [];
    take(chat('Look at it and change it.'));
    take(replied(effect(state.seq), 'I shall look.', [call('a'), changingCall('x')]));
    for (let open = state.questions[0]; open !== undefined; open = state.questions[0]) {
      take(answered(open.id, 'allow-session'));
    }
    for (
      let activity = turnOf(state)?.activity;
      activity?.type === 'running-calls';
      activity = turnOf(state)?.activity
    ) {
      const running = activity.calls.find((progress) => progress.type === 'running');
      if (running?.type !== 'running') throw new Error('a call runs');
      take(toolSettled(running.effect, 'some output'));
    }
    take(replied(effect(state.seq), 'Done.'));
    for (const open of state.questions) take(answered(open.id, 'allow-once'));
  }
  return {
    state,
    stateBytes: JSON.stringify(state).length,
    turnEvents: added.length,
    turnBytes: JSON.stringify(added).length,
  };
}

describe('growth', () => {
  // Counters and sequences gain digits over time; a cost is a float of up to 17 digits.
  const digits = 150;

  test('[P10][S8] the state after 2,000 turns is as large as after 10', () => {
    const [few, many] = [after(10), after(2000)];

    expect(many.state.usage.turns).toBe(2000);
    expect(Math.abs(many.stateBytes - few.stateBytes)).toBeLessThan(digits);
  });

  test('[P10][S8] also where every call and reply is asked about', () => {
    const mode = modes.supervised;
    const [few, many] = [after(40, { mode }), after(400, { mode })];

    expect(Math.abs(many.stateBytes - few.stateBytes)).toBeLessThan(digits);
  });

  test('[P10][S8] the 2,000th turn adds as many events and bytes as the tenth', () => {
    const [few, many] = [after(10), after(2000)];

    expect(many.turnEvents).toBe(few.turnEvents);
    expect(Math.abs(many.turnBytes - few.turnBytes)).toBeLessThan(few.turnEvents * 12);
  });

  test('[P10][S8] no event repeats what was said: each body stands once in the journal', () => {
    const words = ['the prompt itself', 'the reply itself', 'the output itself'];
    const { state, events } = played(
      created({ title: 'Words' }),
      chat('the prompt itself'),
      replied('ses_1.4', 'the reply itself', [call('a')]),
      toolSettled('ses_1.6', 'the output itself'),
      replied('ses_1.8', 'Done.'),
    );
    const text = JSON.stringify(events);

    expect(words.map((word) => text.split(word).length - 1)).toEqual([1, 1, 1]);
    expect(words.filter((word) => JSON.stringify(state).includes(word))).toEqual([]);
  });
});

test('[S8] a step shares what it does not change', () => {
  const before = given(created(), chat('go'), chat('next')).state;
  const { state } = stepSoundly(before, replied('ses_1.4', '', [call('a')]));

  expect(state.queue).toBe(before.queue);
  expect(state.limits).toBe(before.limits);
});

test('[P10][S8][V1] endless compactions and rewinds leave a state of the same size', () => {
  const lived = (rounds: number) => {
    let { state } = given(created());
    const take = (input: InputBody) => {
      ({ state } = step(state, { ...input, at: timeAt(1_000_000), by }));
    };
    for (let round = 0; round < rounds; round += 1) {
      take(chat('Say something.'));
      take(replied(effect(state.seq), 'Something.'));
      const rest = state;
      take(chat('Say more.'));
      take(replied(effect(state.seq), 'More.'));
      take({ type: 'rewound', to: rest.seq, context: rest.context });
      take(compactionRequested());
      take(summed(effect(state.seq), state.seq));
    }
    return state;
  };
  const [few, many] = [lived(10), lived(1000)];

  expect(many.usage.turns).toBe(3000);
  expect(many.context.spans).toBeUndefined();
  expect(Math.abs(JSON.stringify(many).length - JSON.stringify(few).length)).toBeLessThan(150);
});
