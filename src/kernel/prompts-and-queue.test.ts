import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, refusal } from '../testing/given.ts';
import { call, chat, created, interrupted, replied, task, toolSettled } from '../testing/inputs.ts';
import { modes } from './mode.ts';
import type { QueueChange } from './prompt.ts';

const changed = (change: QueueChange) => ({ type: 'queue-changed', change }) as const;
/** A turn in its first model call, `ses_1.4`. */
const busy = [created(), chat('first')] as const;
const textsOf = (state: { queue: { prompts: readonly { request: object }[] } }) =>
  state.queue.prompts.map(({ request }) => ('text' in request ? request.text : 'task'));

describe('delivery', () => {
  test('[D1] a queued prompt waits for its own turn', () => {
    given(...busy)
      .when(chat('second'))
      .then(events({ type: 'prompt-received', request: { type: 'chat', text: 'second' }, delivery: 'queue' }))
      .when(replied('ses_1.4', 'Hi.'))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: replied('', 'Hi.').outcome },
          { type: 'turn-ended', ending: { type: 'completed' } },
          { type: 'turn-started', prompt: 5 },
          { type: 'model-call-intended', reserved: 5 },
        ),
        decisions({ type: 'call-model', effect: effect(9), attempt: 1 }),
      );
  });

  test('[D2] a steering prompt joins the running turn at its next step boundary', () => {
    given(...busy, replied('ses_1.4', '', [call('a')]), chat('rather this', 'steer'))
      .when(toolSettled('ses_1.6'))
      .then(
        events(
          { type: 'tool-settled', call: call('a').id, result: { type: 'success', output: 'ok' } },
          { type: 'prompt-joined', prompt: 7 },
          { type: 'model-call-intended', reserved: 7 },
        ),
        decisions({ type: 'call-model', effect: effect(10), attempt: 1 }),
      );
  });

  test('[D2] steering prompts join in the order they came, also when the model had just finished', () => {
    given(...busy, chat('one', 'steer'), chat('waits'), chat('two', 'steer'))
      .when(replied('ses_1.4', 'Hi.'))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: replied('', 'Hi.').outcome },
          { type: 'prompt-joined', prompt: 5 },
          { type: 'prompt-joined', prompt: 7 },
          { type: 'model-call-intended', reserved: 5 },
        ),
        decisions({ type: 'call-model', effect: effect(11), attempt: 1 }),
      );
  });

  test('[D3] a steering prompt with nothing to join starts a turn', () => {
    const { transition } = given(created()).when(chat('hello', 'steer'));

    expect(transition.events.map(({ event }) => event.type)).toEqual([
      'prompt-received',
      'turn-started',
      'model-call-intended',
    ]);
  });

  test('[D3] a task never joins, and nothing joins a task', () => {
    const steering = { ...task(call('a')), delivery: 'steer' } as const;
    const chatting = given(...busy, steering).when(replied('ses_1.4', 'Hi.')).transition;
    const tasking = given(created(), task(call('a')), chat('and?', 'steer')).when(
      toolSettled('ses_1.4'),
    ).transition;

    const types = (list: typeof chatting.events) => list.map(({ event }) => event.type);
    expect(types(chatting.events)).toEqual(['model-settled', 'turn-ended', 'turn-started', 'tool-run-intended']);
    expect(types(tasking.events)).toEqual(['tool-settled', 'turn-ended', 'turn-started', 'model-call-intended']);
  });

  test('[D4] a turn that ends at its step limit leaves its steering prompts for the next one', () => {
    given(
      created({ limits: { steps: 1 } }),
      chat('go'),
      replied('ses_1.4', '', [call('a')]),
      chat('rather', 'steer'),
    )
      .when(toolSettled('ses_1.6'))
      .then(
        events(
          { type: 'tool-settled', call: call('a').id, result: { type: 'success', output: 'ok' } },
          {
            type: 'turn-ended',
            ending: { type: 'failed', code: 'limit-steps', message: 'The turn reached its limit: steps 1.' },
          },
          { type: 'turn-started', prompt: 7 },
          { type: 'model-call-intended', reserved: 5 },
        ),
        decisions({ type: 'call-model', effect: effect(11), attempt: 1 }),
      );
  });
});

describe('the queue', () => {
  const three = [...busy, chat('a'), chat('b'), chat('c')] as const;
  test.for<{ change: QueueChange; left: readonly string[] }>([
    { change: { type: 'edited', prompt: 6, text: 'B' }, left: ['a', 'B', 'c'] },
    { change: { type: 'moved', prompt: 7, to: 0 }, left: ['c', 'a', 'b'] },
    { change: { type: 'moved', prompt: 5, to: 1 }, left: ['b', 'a', 'c'] },
    { change: { type: 'moved', prompt: 5, to: 99 }, left: ['b', 'c', 'a'] },
    { change: { type: 'removed', prompt: 6 }, left: ['a', 'c'] },
    { change: { type: 'cleared' }, left: [] },
    { change: { type: 'paused' }, left: ['a', 'b', 'c'] },
  ])('[D5] is changed as told: $change.type', ({ change, left }) => {
    const { state } = given(...three)
      .when(changed(change))
      .then(events(changed(change)));

    expect(textsOf(state)).toEqual(left);
  });

  test.for<{ change: QueueChange; says: string }>([
    {
      change: { type: 'edited', prompt: 2, text: 'x' },
      says: 'prompt 2 is not in the queue; it may have been taken already',
    },
    {
      change: { type: 'moved', prompt: 9, to: 0 },
      says: 'prompt 9 is not in the queue; it may have been taken already',
    },
    {
      change: { type: 'removed', prompt: 2 },
      says: 'prompt 2 is not in the queue; it may have been taken already',
    },
    {
      change: { type: 'moved', prompt: 5, to: -1 },
      says: 'place -1 is not a place in the queue; places count from 0',
    },
    {
      change: { type: 'moved', prompt: 5, to: 0.5 },
      says: 'place 0.5 is not a place in the queue; places count from 0',
    },
    { change: { type: 'edited', prompt: 6, text: 'x' }, says: 'prompt 6 is a task; remove it and send another' },
  ])('[D5] refuses a change that cannot be made: $says', ({ change, says }) => {
    given(...busy, chat('a'), task(call('t')))
      .when(changed(change))
      .then(refusal('not-found', says));
  });

  test('[D6] once resumed continues with its first prompt', () => {
    given(...busy, chat('next'), interrupted, replied('ses_1.4', 'late'))
      .when(changed({ type: 'resumed' }))
      .then(
        events(
          changed({ type: 'resumed' }),
          { type: 'turn-started', prompt: 5 },
          { type: 'model-call-intended', reserved: 4 },
        ),
        decisions({ type: 'call-model', effect: effect(12), attempt: 1 }),
      );
  });

  test('[D6] that a person paused during a turn is still paused after it', () => {
    const { state } = given(...busy, chat('next'), changed({ type: 'paused' }))
      .when(replied('ses_1.4', 'Hi.'))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: replied('', 'Hi.').outcome },
          { type: 'turn-ended', ending: { type: 'completed' } },
        ),
      );

    expect({ phase: state.phase, paused: state.queue.paused, left: textsOf(state) }).toEqual({
      phase: { type: 'idle' },
      paused: true,
      left: ['next'],
    });
  });

  test('[D7] continues when somebody speaks to the idle session, the oldest prompt first', () => {
    given(...busy, chat('older'), interrupted, replied('ses_1.4', 'late'))
      .when(chat('newer'))
      .then(
        events(
          changed({ type: 'resumed' }),
          { type: 'prompt-received', request: { type: 'chat', text: 'newer' }, delivery: 'queue' },
          { type: 'turn-started', prompt: 5 },
          { type: 'model-call-intended', reserved: 5 },
        ),
        decisions({ type: 'call-model', effect: effect(13), attempt: 1 }),
      );
  });

  test('[D8] is bounded', () => {
    given(created({ limits: { queuedPrompts: 1 } }), chat('runs'), chat('waits'))
      .when(chat('too many'))
      .then(refusal('limit', 'the queue of session ses_1 holds its 1 prompts already; remove one or wait'));
  });

  test('[D8] keeps what it holds when its bound is lowered, and takes no more', () => {
    const lowered = given(...three).when({ type: 'limits-changed', limits: { queuedPrompts: 2 } });

    expect(textsOf(lowered.transition.state)).toEqual(['a', 'b', 'c']);
    lowered
      .then(events({ type: 'limits-changed', limits: { queuedPrompts: 2 } }))
      .when(chat('d'))
      .then(refusal('limit', 'the queue of session ses_1 holds its 2 prompts already; remove one or wait'));
  });

  test('[D9] a chat that waited is not answered by a model once the mode has none', () => {
    given(...busy, chat('next'), { type: 'mode-changed', mode: modes['tool-only'] })
      .when(replied('ses_1.4', 'Hi.'))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: replied('', 'Hi.').outcome },
          { type: 'turn-ended', ending: { type: 'completed' } },
          { type: 'turn-started', prompt: 5 },
          {
            type: 'turn-ended',
            ending: {
              type: 'failed',
              code: 'tool-only',
              message: 'Mode tool-only has no model; send a task with a tool and its arguments.',
            },
          },
        ),
      );
  });
});
