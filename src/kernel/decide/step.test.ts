import { describe, expect, test } from 'vitest';

import {
  decisions,
  effect,
  events,
  given,
  question,
  refusal,
  stepSoundly,
  testSession,
  testTime,
} from '../../testing/given.ts';
import {
  answered,
  call,
  chat,
  created,
  interrupted,
  recovered,
  replied,
  task,
  testAgent,
} from '../../testing/inputs.ts';
import type { Event } from '../event.ts';
import { evolve } from '../evolve/evolve.ts';
import {
  questionIdOf,
  seqOfEffect,
  sessionOfEffect,
  sessionOfQuestion,
  type SessionId,
  type WorkerId,
} from '../ids.ts';
import type { InputBody } from '../input.ts';
import { defaultLimits } from '../limits.ts';
import { modes } from '../mode.ts';
import { newState } from '../state.ts';

describe('a session begins', () => {
  test('[S1] with what was asked for, and comes to rest', () => {
    const setup = { title: 'Fix it', parent: 'ses_0' as SessionId, limits: { steps: 7 } };
    const { state } = given()
      .when(created(setup))
      .then(
        events({ type: 'session-created', agent: testAgent, mode: modes.interactive, cwd: '/work', ...setup }),
      );

    expect(state).toEqual({
      ...newState(testSession),
      seq: 1,
      createdAt: testTime,
      updatedAt: testTime,
      agent: testAgent,
      cwd: '/work',
      title: 'Fix it',
      parent: 'ses_0',
      limits: { ...defaultLimits, steps: 7 },
      phase: { type: 'idle' },
    });
  });

  test('[S1] and takes no other input before', () => {
    given().when(chat('hello')).then(refusal('not-found', 'session ses_1 has not been created'));
  });

  test('[S1] once', () => {
    given(created()).when(created()).then(refusal('conflict', 'session ses_1 exists already'));
  });
});

describe('[C1] every kind of input', () => {
  const idle: readonly { readonly input: InputBody; readonly becomes: readonly Event[] }[] = [
    {
      input: { type: 'agent-changed', agent: { name: 'b', runs: 'model' } },
      becomes: [{ type: 'agent-changed', agent: { name: 'b', runs: 'model' } }],
    },
    { input: { type: 'mode-changed', mode: modes.batch }, becomes: [{ type: 'mode-changed', mode: modes.batch }] },
    { input: { type: 'policy-changed', rules: [] }, becomes: [{ type: 'policy-changed', rules: [] }] },
    {
      input: { type: 'limits-changed', limits: { steps: 3 } },
      becomes: [{ type: 'limits-changed', limits: { steps: 3 } }],
    },
    {
      input: { type: 'worker-reported', report: { worker: 'w1' as WorkerId, state: 'spawned' } },
      becomes: [{ type: 'worker-reported', report: { worker: 'w1' as WorkerId, state: 'spawned' } }],
    },
    { input: { type: 'closed', reason: 'done' }, becomes: [{ type: 'session-closed', reason: 'done' }] },
    { input: interrupted, becomes: [] },
    { input: recovered, becomes: [] },
    { input: replied('ses_1.4', 'late'), becomes: [] },
    { input: { type: 'time-reached', effect: effect(4) }, becomes: [] },
  ];
  test.for(idle)('becomes events of an idle session: $input.type', ({ input, becomes }) => {
    given(created())
      .when(input)
      .then(events(...becomes));
  });

  test('[T1] a chat becomes a turn that calls the model', () => {
    given(created())
      .when(chat('hello'))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'chat', text: 'hello' }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          { type: 'model-call-intended', reserved: 2 },
        ),
        decisions({ type: 'call-model', effect: effect(4), attempt: 1 }),
      );
  });

  test('[T1] a chat keeps its attachments and its intent', () => {
    const attachments = [{ name: 'a.txt', mediaType: 'text/plain', content: 'abc' }];
    const { transition } = given(created()).when({ ...chat('hello'), attachments, intent: { verb: 'greet' } });

    expect(transition.events[0]?.event).toEqual({
      type: 'prompt-received',
      request: { type: 'chat', text: 'hello', attachments, intent: { verb: 'greet' } },
      delivery: 'queue',
    });
  });

  test('[T2] a task goes straight to the gate and the tools', () => {
    const look = call('a');
    given(created())
      .when(task(look))
      .then(
        events(
          { type: 'prompt-received', request: { type: 'task', calls: [look] }, delivery: 'queue' },
          { type: 'turn-started', prompt: 2 },
          { type: 'tool-run-intended', call: look.id, repeat: 'safe', rule: 'reads' },
        ),
        decisions({ type: 'run-tool', effect: effect(4), attempt: 1, call: look }),
      );
  });

  test.for([
    { calls: [], says: 'a task needs at least one call' },
    { calls: [call('a'), call('a')], says: 'two calls of the task have the id a' },
  ])('[T2] a task that cannot be done is refused: $says', ({ calls, says }) => {
    given(created())
      .when(task(...calls))
      .then(refusal('invalid', says));
  });

  test('[Q2] an answer to a question nobody asked is refused', () => {
    given(created())
      .when(answered(question(9), 'allow-once'))
      .then(refusal('not-found', `session ses_1 has no open question ${question(9)}`));
  });
});

test('[C2][S2] the same state and input give the same transition, and neither is changed', () => {
  const { state } = given(created(), chat('hello'));
  const input = replied('ses_1.4', 'Looking.', [call('a'), call('b')]);
  const before = JSON.stringify({ state, input });

  expect(stepSoundly(state, input)).toEqual(stepSoundly(state, input));
  expect(JSON.stringify({ state, input })).toBe(before);
});

test('[C124][S3] the new state is the old one evolved by the events and nothing else', () => {
  const { state } = given(created(), chat('hello'));
  const transition = stepSoundly(state, replied('ses_1.4', 'Looking.', [call('a')]));

  expect(transition.events.reduce(evolve, state)).toEqual(transition.state);
});

test('[S4] an input that is refused changes nothing and wants nothing', () => {
  const { state } = given(created({ mode: modes['tool-only'] }));

  expect(stepSoundly(state, chat('hello'))).toEqual({
    state,
    events: [],
    decisions: [],
    refusal: {
      code: 'invalid',
      message: 'mode tool-only has no model; send a task with a tool and its arguments',
    },
  });
});

test('[S5] events carry the time and the actor of their input, and consecutive sequences', () => {
  const by = { type: 'person', name: 'ann' } as const;
  const { transition } = given(created()).when({ ...chat('hello'), at: 7, by });

  expect(transition.events.map(({ seq, at, by: who }) => ({ seq, at, by: who }))).toEqual([
    { seq: 2, at: 7, by },
    { seq: 3, at: 7, by },
    { seq: 4, at: 7, by },
  ]);
});

test('[S6] the ids of effects and questions name their session', () => {
  const session = 'ses_01jz9k' as SessionId;

  expect(seqOfEffect(effect(40))).toBe(40);
  expect(sessionOfEffect(effect(40))).toBe(testSession);
  expect(questionIdOf(session, 36)).toBe('q_01jz9k0000010');
  expect(sessionOfQuestion(questionIdOf(session, 36))).toBe(session);
});
