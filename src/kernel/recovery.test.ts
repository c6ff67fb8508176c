import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, question, stepSoundly, type GivenInput } from '../testing/given.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  created,
  interrupted,
  modelFailed,
  recovered,
  replied,
  reply,
  toolSettled,
} from '../testing/inputs.ts';
import type { Event } from './event.ts';
import type { Question, QuestionSubject } from './question.ts';
import type { State } from './state.ts';
import { timeAt } from './time.ts';

const back: Event = { type: 'session-recovered', epoch: 2 };
const interruptedResult = {
  type: 'error',
  code: 'interrupted',
  message:
    'The process stopped while this call was running. It may or may not have taken effect. Check before you do it again.',
} as const;
const callsModel: readonly GivenInput[] = [created({ limits: { maxOutputTokens: 9 } }), chat('go')];
const opened = (seq: number, about: QuestionSubject): Question => ({
  id: question(seq),
  openedAt: 1_000_000,
  about,
});
const crashed = (times: number): readonly GivenInput[] => Array.from({ length: times }, () => recovered);

describe('a model call that a crash cut off', () => {
  test('[P2][R2] is retried under the same id as a new attempt, and the budget of the lost one is charged', () => {
    const { state } = given(...callsModel)
      .when(recovered)
      .then(
        events(back, { type: 'effect-repeated', effect: effect(4), attempt: 2 }),
        decisions({ type: 'call-model', effect: effect(4), attempt: 2, maxOutputTokens: 9 }),
      );

    expect(state.usage).toMatchObject({ inputTokens: 10, outputTokens: 0 });
  });

  test('[R1] the answer to its first attempt is late and ignored', () => {
    given(...callsModel, recovered)
      .when(replied('ses_1.4', 'late'))
      .then(events());
  });

  test('[R2] the answer to its second attempt counts', () => {
    given(...callsModel, recovered)
      .when(replied('ses_1.4', 'Hi.', [], 2))
      .then(
        events(
          { type: 'model-settled', effect: effect(4), outcome: reply('Hi.') },
          { type: 'turn-ended', ending: { type: 'completed' } },
        ),
      );
  });

  const about: QuestionSubject = {
    type: 'repeat',
    what: 'model call',
    reason: 'It was cut off 3 times before it ended. Try again?',
  };

  test('[R3] thrice becomes a question, all three attempts charged', () => {
    const { state } = given(...callsModel, ...crashed(2))
      .when(recovered)
      .then(
        events(back, { type: 'question-opened', about }),
        decisions({ type: 'ask', question: opened(10, about) }),
      );

    expect(state.usage.inputTokens).toBe(30);
  });

  test('[R3][P7] is made a fourth time only when a person reports it, with its output limit', () => {
    given(...callsModel, ...crashed(3))
      .when(answered(question(10), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(10), answer: { type: 'allow-once' } },
          { type: 'effect-repeated', effect: effect(4), attempt: 4 },
        ),
        decisions({ type: 'call-model', effect: effect(4), attempt: 4, maxOutputTokens: 9 }),
      );
  });

  test('[R3][P2] ends its turn when a person says no, and is settled all the same', () => {
    given(...callsModel, ...crashed(3))
      .when(answered(question(10), 'reject'))
      .then(
        events(
          { type: 'question-answered', question: question(10), answer: { type: 'reject' } },
          { type: 'model-settled', effect: effect(4), outcome: { type: 'cancelled', reason: 'cut off' } },
          {
            type: 'turn-ended',
            ending: {
              type: 'failed',
              code: 'crash-loop',
              message: 'The call was cut off repeatedly and was not tried again.',
            },
          },
        ),
      );
  });
});

describe('a tool that a crash cut off', () => {
  const running = (repeat: 'safe' | 'never' | 'ask', runs: 'tool' | 'job' = 'tool') => {
    const one = call('a', 'look', { repeat, runs });
    return { one, session: given(created(), chat('go'), replied('ses_1.4', '', [one])) };
  };

  test.for([
    { runs: 'tool', wanted: 'run-tool' },
    { runs: 'job', wanted: 'start-job' },
  ] as const)('[P2][R2] declared safe is done again: $wanted', ({ runs, wanted }) => {
    const { one, session } = running('safe', runs);
    session
      .when(recovered)
      .then(
        events(back, { type: 'effect-repeated', effect: effect(6), attempt: 2 }),
        decisions({ type: wanted, effect: effect(6), attempt: 2, call: one }),
      );
  });

  test('[R1] its first attempt, settling late, is ignored; its second is not', () => {
    const { session } = running('safe');
    session
      .when(recovered)
      .then(
        events(back, { type: 'effect-repeated', effect: effect(6), attempt: 2 }),
        decisions({ type: 'run-tool', effect: effect(6), attempt: 2, call: call('a') }),
      )
      .when(toolSettled('ses_1.6', 'late', 1))
      .then(events())
      .when(toolSettled('ses_1.6', 'ok', 2))
      .then(
        events(
          { type: 'tool-settled', call: call('a').id, result: { type: 'success', output: 'ok' } },
          { type: 'model-call-intended', reserved: 3 },
        ),
        decisions({ type: 'call-model', effect: effect(10), attempt: 1 }),
      );
  });

  test('[P2][C51][R4] that must not be repeated is reported as interrupted, in words the model can act on', () => {
    const { one, session } = running('never');
    session
      .when(recovered)
      .then(
        events(
          back,
          { type: 'tool-settled', call: one.id, result: interruptedResult },
          { type: 'model-call-intended', reserved: 31 },
        ),
        decisions({ type: 'call-model', effect: effect(9), attempt: 1 }),
      );
  });

  const about: QuestionSubject = {
    type: 'repeat',
    what: 'look',
    call: call('a').id,
    reason: 'The process stopped while this ran. It may or may not have taken effect. Run it again?',
  };

  test('[P2][C51][R5] that a person must judge is not run before the question is answered', () => {
    const { one, session } = running('ask');
    const asked = session
      .when(recovered)
      .then(
        events(back, { type: 'question-opened', about }),
        decisions({ type: 'ask', question: opened(8, about) }),
      );

    asked.when(toolSettled('ses_1.6')).then(events());
    asked
      .when(answered(question(8), 'allow-once'))
      .then(
        events(
          { type: 'question-answered', question: question(8), answer: { type: 'allow-once' } },
          { type: 'effect-repeated', effect: effect(6), attempt: 2 },
        ),
        decisions({ type: 'run-tool', effect: effect(6), attempt: 2, call: one }),
      );
  });

  test('[R5] that a person does not want again is reported as interrupted', () => {
    const { one, session } = running('ask');
    const { transition } = session
      .when(recovered)
      .then(
        events(back, { type: 'question-opened', about }),
        decisions({ type: 'ask', question: opened(8, about) }),
      )
      .when(answered(question(8), 'reject'));

    expect(transition.events[1]?.event).toEqual({
      type: 'tool-settled',
      call: one.id,
      result: {
        type: 'error',
        code: 'interrupted',
        message: 'This call was cut off and may or may not have taken effect. The user chose not to run it again.',
      },
    });
  });

  test('[C51][R5] an exclusive call that waits for its answer holds up those behind it', () => {
    const calls = [call('a', 'look', { repeat: 'ask', order: 'exclusive' }), call('b')];
    const { transition } = given(created(), chat('go'), replied('ses_1.4', '', calls)).when(recovered);

    expect(transition.decisions.map(({ type }) => type)).toEqual(['ask']);
  });

  test('[R2][R4][R5] each of several is treated by its own kind', () => {
    const calls = [call('s'), call('n', 'look', { repeat: 'never' }), call('q', 'look', { repeat: 'ask' })];
    const { transition } = given(created(), chat('go'), replied('ses_1.4', '', calls)).when(recovered);

    expect(transition.events.map(({ event }) => event.type)).toEqual([
      'session-recovered',
      'effect-repeated',
      'tool-settled',
      'question-opened',
    ]);
    expect(transition.decisions.map(({ type }) => type)).toEqual(['run-tool', 'ask']);
  });
});

describe('what waits', () => {
  test('[R6] for time is armed again', () => {
    given(...callsModel, modelFailed('ses_1.4'))
      .when(recovered)
      .then(decisions({ type: 'wait-until', effect: effect(6), until: timeAt(1_003_000) }));
  });

  test('[P3][R6] for an answer is asked again, under the same id and with its timer', () => {
    const session = given(
      created({ limits: { questionExpiryMs: 10 } }),
      chat('go'),
      replied('ses_1.4', '', [changingCall('x')]),
    );

    session
      .when(recovered)
      .then(
        decisions(
          { type: 'wait-until', effect: effect(7), until: timeAt(1_000_010) },
          { type: 'ask', question: session.state.questions[0] as Question },
        ),
      );
  });

  test('[R6] for an answer is not asked again if the turn ends at once', () => {
    const calls = [
      call('n', 'look', { repeat: 'never' }),
      changingCall('x'),
      call('late', 'look', { order: 'exclusive' }),
    ];
    const { transition } = given(
      created({ limits: { toolCalls: 1 } }),
      chat('go'),
      replied('ses_1.4', '', calls),
    ).when(recovered);

    expect(transition.events.at(-1)?.event).toEqual({
      type: 'turn-ended',
      ending: { type: 'failed', code: 'limit-tool-calls', message: 'The turn reached its limit: tool-calls 1.' },
    });
    expect(transition.decisions).toEqual([]);
  });

  test.for<{ name: string; rests: readonly GivenInput[] }>([
    { name: 'an idle session', rests: [created()] },
    { name: 'a closed session', rests: [created(), { type: 'closed' }] },
  ])('[R6] for nothing is left alone: $name', ({ rests }) => {
    given(...rests)
      .when(recovered)
      .then(events());
  });
});

describe('a crash while cancelling', () => {
  test('[R7][X3] counts as the kill of what was in flight', () => {
    given(...callsModel, replied('ses_1.4', '', [call('a')]), interrupted)
      .when(recovered)
      .then(
        events(
          back,
          { type: 'tool-settled', call: call('a').id, result: { type: 'cancelled' } },
          { type: 'turn-ended', ending: { type: 'cancelled' } },
        ),
        decisions(
          { type: 'wait-until', effect: effect(8), until: timeAt(1_006_000) },
          { type: 'cancel', effect: effect(8), graceMs: 0 },
        ),
      );
  });

  test('[R7][X5] closes the session that was being closed', () => {
    const { state } = given(...callsModel, { type: 'closed' }, recovered);

    expect(state.phase).toEqual({ type: 'closed' });
    expect(state.usage.inputTokens).toBe(10);
  });
});

describe('a crash loop', () => {
  const limits = { recoveries: 2 };
  const givenUp: Event = {
    type: 'turn-ended',
    ending: {
      type: 'failed',
      code: 'crash-loop',
      message: 'The process stopped 3 times in a row during this turn, so it was given up.',
    },
  };

  const judged: Event = {
    type: 'verdict-reached',
    verdict: { verdict: 'crash-looping', evidence: '3 recoveries in a row without progress.', action: 'stop' },
  };

  test('[P7][R8] ends the turn with what may have happened said of each call, and pauses the queue', () => {
    const calls = [call('s'), call('q', 'look', { repeat: 'ask' }), changingCall('x')];
    const session = given(
      created({ limits }),
      chat('go'),
      chat('next'),
      replied('ses_1.4', '', calls),
      ...crashed(2),
    );
    const { state } = session.when(recovered).then(
      events(
        back,
        { type: 'tool-settled', call: call('s').id, result: interruptedResult },
        judged,
        { type: 'question-closed', question: question(7), reason: 'cancelled' },
        { type: 'question-closed', question: question(12), reason: 'cancelled' },
        {
          type: 'tool-settled',
          call: call('q').id,
          result: {
            type: 'error',
            code: 'interrupted',
            message: 'This call was cut off and may or may not have taken effect.',
          },
        },
        {
          type: 'call-refused',
          call: changingCall('x').id,
          code: 'interrupted',
          reason: 'The turn ended before this call was started.',
        },
        givenUp,
      ),
    );

    expect(state.queue.paused).toBe(true);
  });

  test('[R8] of model calls is charged for the last one too', () => {
    const { state } = given(created({ limits: { ...limits, modelRepeats: 9 } }), chat('go'), ...crashed(2))
      .when(recovered)
      .then(
        events(
          back,
          {
            type: 'model-settled',
            effect: effect(4),
            outcome: {
              type: 'cancelled',
              reason: 'killed',
              usage: { inputTokens: 1, outputTokens: 0, estimated: true },
            },
          },
          judged,
          givenUp,
        ),
      );

    expect(state.usage.inputTokens).toBe(3);
  });

  test('[R8] is broken by anything that settles', () => {
    let { state }: { state: State } = given(
      created({ limits }),
      chat('go'),
      replied('ses_1.4', '', [call('a'), call('b')]),
    );
    for (const input of [...crashed(2), toolSettled('ses_1.7', 'ok', 3), ...crashed(2)]) {
      state = stepSoundly(state, input).state;
    }

    expect({ phase: state.phase.type, recoveries: state.recoveries }).toEqual({ phase: 'turn', recoveries: 2 });
  });
});
