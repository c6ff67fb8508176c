import { expect, test } from 'vitest';

import { system, type Actor } from '../kernel/actor.ts';
import { seqOfEffect, type EffectId, type SessionId, type WorkerId } from '../kernel/ids.ts';
import { defaultLimits } from '../kernel/limits.ts';
import { modes } from '../kernel/mode.ts';
import { newState } from '../kernel/state.ts';
import { given, testSession, testTime, type GivenInput, played } from '../testing/given.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  created,
  interrupted,
  modelFailed,
  modelSettled,
  recovered,
  replied,
  task,
  toolSettled,
} from '../testing/inputs.ts';
import { isBlockedOnPerson, isIdle, statusOf, type Status } from './status.ts';
import { timeAt } from '../kernel/time.ts';

const at = testTime;

function statusAfter(...inputs: readonly GivenInput[]): Status {
  const { state, events } = played(...inputs);
  return statusOf(state, (effect) => events.find(({ seq }) => seq === seqOfEffect(effect))?.at);
}

const now = ({ lifecycle, words, doing }: Status) => ({ lifecycle, words, doing });

test('[C9] the whole status of a session in the middle of a turn', () => {
  const ann: Actor = { type: 'person', name: 'ann' };
  const agent = { name: 'tester', runs: 'model', model: 'm1' } as const;
  const status = statusAfter(
    created({ agent, title: 'A talk', parent: 'ses_0' as SessionId, limits: { steps: 9 } }),
    { type: 'worker-reported', report: { worker: 'wrk_1' as WorkerId, state: 'spawned' } },
    chat('go'),
    replied('ses_1.5', 'Yes.'),
    chat('more'),
    { ...chat('and\n  then  this', 'steer'), by: ann, at: at + 5 },
    { ...task(call('a', 'look'), call('b', 'list')), at: at + 7 },
  );
  expect(status).toEqual({
    session: 'ses_1',
    seq: 12,
    createdAt: at,
    updatedAt: at + 7,
    title: 'A talk',
    parent: 'ses_0',
    cwd: '/work',
    agent: 'tester',
    model: 'm1',
    mode: 'interactive',
    lifecycle: 'running',
    words: 'running',
    doing: [{ words: 'calling m1', since: at, effect: 'ses_1.10' }],
    turn: { id: 9, startedAt: at, agent: 'tester', steps: 1, toolCalls: 0 },
    usage: {
      turns: 2,
      steps: 2,
      toolCalls: 0,
      inputTokens: 10,
      outputTokens: 5,
      cachedTokens: 0,
      reasoningTokens: 0,
      cost: 0.001,
      unpricedCalls: 0,
      costIsKnown: true,
    },
    limits: { ...defaultLimits, steps: 9 },
    questions: [],
    queue: {
      paused: false,
      prompts: [
        { prompt: 11, by: ann, delivery: 'steer', preview: 'and then this' },
        { prompt: 12, by: system, delivery: 'queue', preview: 'run look, list' },
      ],
    },
    workers: [{ id: 'wrk_1', state: 'spawned' }],
    lastEnding: { turn: 4, ending: { type: 'completed' } },
  });
});

const go = [created(), chat('go')] as const;
const asking = [
  ...go,
  replied('ses_1.4', '', [changingCall('c1', 'shell', { segments: [{ text: 'rm x' }] })]),
] as const;

test.each<[name: string, inputs: readonly GivenInput[], expected: ReturnType<typeof now>]>([
  ['not created', [], { lifecycle: 'new', words: 'not created yet', doing: [] }],
  ['created', [created()], { lifecycle: 'idle', words: 'idle', doing: [] }],
  [
    'at a model call',
    go,
    {
      lifecycle: 'running',
      words: 'running',
      doing: [{ words: 'calling the model', since: at, effect: 'ses_1.4' as EffectId }],
    },
  ],
  [
    'at a model call made again after a crash',
    [...go, { ...recovered, at: at + 9 }],
    {
      lifecycle: 'running',
      words: 'running',
      doing: [{ words: 'calling the model, attempt 2', since: at, effect: 'ses_1.4' as EffectId }],
    },
  ],
  [
    'with an external agent',
    [created({ agent: { name: 'codex', runs: 'external' } }), chat('go')],
    {
      lifecycle: 'running',
      words: 'running',
      doing: [{ words: 'running codex', since: at, effect: 'ses_1.4' as EffectId }],
    },
  ],
  [
    'asking for an approval',
    asking,
    {
      lifecycle: 'waiting',
      words: 'waiting for you',
      doing: [
        {
          words: 'waiting for approval of shell: rm x',
          since: at,
          question: given(...asking).state.questions[0]?.id ?? never(),
        },
      ],
    },
  ],
  [
    'running one call beside a question',
    [...go, { ...replied('ses_1.4', '', [call('a'), call('b', 'write', { access: 'write' })]), at: at + 3 }],
    {
      lifecycle: 'running',
      words: 'running',
      doing: [
        { words: 'running look', since: at + 3, effect: 'ses_1.7' as EffectId },
        { words: 'waiting for approval of write', since: at + 3, question: 'q_10000006' as never },
      ],
    },
  ],
  [
    'asking a person',
    [
      ...go,
      replied('ses_1.4', '', [
        call('a', 'ask', { access: 'talk', asks: { type: 'clarification', text: 'Which\none?', options: [] } }),
        call('b', 'form', { access: 'talk', asks: { type: 'form', title: 'Who', schema: {} } }),
      ]),
    ],
    {
      lifecycle: 'waiting',
      words: 'waiting for you',
      doing: [
        { words: 'waiting for an answer: Which one?', since: at, question: 'q_10000006' as never },
        { words: 'waiting for a form: Who', since: at, question: 'q_10000007' as never },
      ],
    },
  ],
  [
    'showing its reply for review',
    [created({ mode: modes.supervised, limits: { questionExpiryMs: 60 } }), chat('go'), replied('ses_1.4', 'Hi.')],
    {
      lifecycle: 'waiting',
      words: 'waiting for you',
      doing: [
        { words: 'waiting for a review of its reply', since: at, until: at + 60, question: 'q_10000006' as never },
      ],
    },
  ],
  [
    'unsure after a crash',
    [...go, replied('ses_1.4', '', [call('a', 'send', { repeat: 'ask' })]), recovered],
    {
      lifecycle: 'waiting',
      words: 'waiting for you',
      doing: [
        {
          words: 'waiting for a decision whether to run the send again',
          since: at,
          question: 'q_10000008' as never,
        },
      ],
    },
  ],
  [
    'pausing after an error',
    [...go, modelFailed('ses_1.4')],
    {
      lifecycle: 'pausing',
      words: 'pausing',
      doing: [{ words: 'pausing after an error', since: at, until: at + 3000, effect: 'ses_1.6' as EffectId }],
    },
  ],
  [
    'waiting for the provider',
    [
      ...go,
      modelSettled('ses_1.4', {
        type: 'failed',
        code: 'model-rate-limited',
        message: 'later',
        retryable: true,
        retryAt: timeAt(at + 60_000),
      }),
    ],
    {
      lifecycle: 'pausing',
      words: 'pausing',
      doing: [{ words: 'waiting for the provider', since: at, until: at + 60_000, effect: 'ses_1.6' as EffectId }],
    },
  ],
  [
    'cancelling',
    [...go, interrupted],
    {
      lifecycle: 'cancelling',
      words: 'cancelling',
      doing: [{ words: 'calling the model', since: at, effect: 'ses_1.4' as EffectId }],
    },
  ],
  ['closed', [created(), { type: 'closed' }], { lifecycle: 'closed', words: 'closed', doing: [] }],
])('[C9] a session %s says what it does', (_, inputs, expected) => {
  expect(now(statusAfter(...inputs))).toEqual(expected);
});

test('without the times of what is in flight the status leaves them out', () => {
  expect(statusOf(given(...go).state).doing).toEqual([{ words: 'calling the model', effect: 'ses_1.4' }]);
});

test('[C9] running is over when the turn is', () => {
  const call1 = [...go, replied('ses_1.4', '', [call('a')])] as const;
  const inputs = [...call1, toolSettled('ses_1.6')] as const;
  const states = [go, call1, inputs, [...inputs, replied('ses_1.8', 'Done.')]].map(
    (inputs) => statusAfter(...inputs).lifecycle,
  );
  expect(states).toEqual(['running', 'running', 'running', 'idle']);
});

test('[P9] only a question with nothing else in flight blocks on a person, whatever timers stand in the background', () => {
  const limits = { questionExpiryMs: 1000, wallTimeMs: 5000 };
  const timed = given(created({ limits }), chat('go'), replied('ses_1.5', '', [changingCall('c1')])).state;
  const question = timed.questions[0]?.id ?? never();
  expect([
    isBlockedOnPerson(timed),
    isBlockedOnPerson(
      given(
        created({ limits }),
        chat('go'),
        replied('ses_1.5', '', [changingCall('c1')]),
        answered(question, 'allow-once'),
      ).state,
    ),
    isBlockedOnPerson(given(...go, modelFailed('ses_1.4')).state),
    isBlockedOnPerson(given(...asking, interrupted).state),
    isBlockedOnPerson(given(created()).state),
  ]).toEqual([true, false, false, false, false]);
});

test('idle is a session that exists, is open and has no turn', () => {
  const states = [
    newState(testSession),
    given(created()).state,
    given(...go).state,
    given(created(), { type: 'closed' }).state,
  ];
  expect(states.map(isIdle)).toEqual([false, true, false, false]);
});

function never(): never {
  throw new Error('no question was opened');
}

test('[C91] a session that is closed while something runs says that it is closing; an interrupted one does not', () => {
  const closing = ({ lifecycle, isClosing }: Status) => ({ lifecycle, isClosing });
  expect(closing(statusAfter(created(), chat('go'), { type: 'closed', reason: 'done' }))).toEqual({
    lifecycle: 'cancelling',
    isClosing: true,
  });
  expect(closing(statusAfter(created(), chat('go'), interrupted))).toEqual({
    lifecycle: 'cancelling',
    isClosing: undefined,
  });
});
