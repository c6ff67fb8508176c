import { describe, expect, test } from 'vitest';

import { effect, events, given, question, type GivenInput } from '../testing/given.ts';
import {
  answered,
  changingCall,
  chat,
  created,
  interrupted,
  modelFailed,
  replied,
  timeReached,
  toolSettled,
} from '../testing/inputs.ts';

const allTimers = { wallTimeMs: 60_000, questionExpiryMs: 30_000 };

describe('a wait', () => {
  test.for<{ why: string; inputs: readonly GivenInput[]; waits: readonly object[] }>([
    {
      why: 'error-pause',
      inputs: [created(), chat('go'), modelFailed('ses_1.4')],
      waits: [{ effect: effect(6), why: 'error-pause', until: 1_003_000 }],
    },
    {
      why: 'cancel-grace',
      inputs: [created(), chat('go'), interrupted],
      waits: [{ effect: effect(6), why: 'cancel-grace', until: 1_006_000 }],
    },
    {
      why: 'wall-time and question-expiry',
      inputs: [created({ limits: allTimers }), chat('go'), replied('ses_1.5', '', [changingCall('x')])],
      waits: [
        { effect: effect(4), why: 'wall-time', until: 1_060_000 },
        { effect: effect(8), why: 'question-expiry', until: 1_030_000 },
      ],
    },
  ])('[W1] stands in the state until its time: $why', ({ inputs, waits }) => {
    expect(given(...inputs).state.waits).toEqual(waits);
  });

  test('[W2] that is over already is ignored', () => {
    given(created(), chat('go'), modelFailed('ses_1.4'), timeReached(effect(6)))
      .when(timeReached(effect(6)))
      .then(events());
  });

  test('[W2] that never was is ignored', () => {
    given(created(), chat('go'))
      .when(timeReached(effect(4)))
      .then(events());
  });

  test('[W3] does not outlive its turn', () => {
    const session = given(created({ limits: allTimers }), chat('go'), replied('ses_1.5', '', [changingCall('x')]));
    const { transition } = session.when(interrupted);

    expect(transition.state.waits).toEqual([]);
    expect(transition.decisions).toEqual([
      { type: 'cancel', effect: effect(4), graceMs: 0 },
      { type: 'cancel', effect: effect(8), graceMs: 0 },
    ]);
  });

  test('[W2] for the answer to a question that was answered ends without a trace', () => {
    const session = given(
      created({ limits: { questionExpiryMs: 30_000 } }),
      chat('go'),
      replied('ses_1.4', '', [changingCall('x')]),
      answered(question(6), 'allow-once'),
    );

    session.when(timeReached(effect(7))).then(events({ type: 'wait-ended', effect: effect(7) }));
  });

  test('[W2][B2] that ends while the turn pauses for another reason does not end the pause', () => {
    const fault = { type: 'error', code: 'fault', message: 'disk full', fault: true } as const;
    const session = given(
      created({ limits: { questionExpiryMs: 1000 } }),
      chat('go'),
      replied('ses_1.4', '', [changingCall('x')]),
      answered(question(6), 'allow-once'),
      toolSettled('ses_1.9', fault),
    );

    session.when(timeReached(effect(7))).then(events({ type: 'wait-ended', effect: effect(7) }));
  });
});
