import { describe, expect, test } from 'vitest';

import { question, testSession, type GivenInput, played } from '../../testing/given.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  created,
  interrupted,
  modelSettled,
  recovered,
  replied,
  task,
  timeReached,
  toolSettled,
} from '../../testing/inputs.ts';
import { system } from '../actor.ts';
import { beginSpan, extend, extendQueue, newConversation } from './conversation.ts';
import type { Event } from '../event.ts';
import type { SessionId, WorkerId } from '../ids.ts';
import type { Message } from '../message.ts';
import { modes } from '../mode.ts';
import { optional } from '../optional.ts';

/** The messages that the model sees after these inputs. */
function messagesAfter(...inputs: readonly GivenInput[]): readonly Message[] {
  const conversation = newConversation(testSession);
  for (const recorded of played(...inputs).events) extend(conversation, recorded);
  return conversation.messages;
}

const asked = (id: string, tool = 'look') => ({ id, tool, args: '{}' });
const started = [created(), chat('go')] as const;
const notice = (text: string) => ({ role: 'notice', text });

test('[C29][C116][H1] the third request holds both results with matching ids', () => {
  const steps = [
    replied('ses_1.4', 'One.', [call('a')]),
    toolSettled('ses_1.6', 'A'),
    replied('ses_1.8', 'Two.', [call('b')]),
    toolSettled('ses_1.10', { type: 'error', code: 'exit', message: 'exit 1' }),
  ];

  expect(messagesAfter(...started, ...steps)).toEqual([
    { role: 'user', text: 'go' },
    { role: 'assistant', text: 'One.', calls: [asked('a')] },
    { role: 'tool', call: 'a', tool: 'look', outcome: 'success', text: 'A' },
    { role: 'assistant', text: 'Two.', calls: [asked('b')] },
    { role: 'tool', call: 'b', tool: 'look', outcome: 'error', text: 'exit 1' },
  ]);
});

test('[H1] an answer keeps its reasoning, a prompt its attachments', () => {
  const attachments = [{ name: 'a', mediaType: 'text/plain', content: 'abc' }];
  const usage = { inputTokens: 1, outputTokens: 1 };
  const thought = { type: 'completed', text: 'Hi.', reasoning: 'Hm.', calls: [], usage, stop: 'end' } as const;

  expect(messagesAfter(created(), { ...chat('go'), attachments }, modelSettled('ses_1.4', thought))).toEqual([
    { role: 'user', text: 'go', attachments },
    { role: 'assistant', text: 'Hi.', reasoning: 'Hm.', calls: [] },
  ]);
});

describe('[C116][H2] every call has one result:', () => {
  const rejected = 'The user rejected this call: use git';
  test.for<{ name: string; inputs: readonly GivenInput[]; results: readonly object[] }>([
    {
      name: 'a refused one',
      inputs: [
        replied('ses_1.4', '', [changingCall('x')]),
        answered(question(6), { type: 'reject', reason: 'use git' }),
      ],
      results: [{ role: 'tool', call: 'x', tool: 'change', outcome: 'refused', text: rejected }],
    },
    {
      name: 'one that was interrupted, and one that had not begun',
      inputs: [
        replied('ses_1.4', '', [call('a'), changingCall('x')]),
        interrupted,
        toolSettled('ses_1.7', 'half'),
      ],
      results: [
        {
          role: 'tool',
          call: 'x',
          tool: 'change',
          outcome: 'refused',
          text: 'The turn ended before this call was started.',
        },
        { role: 'tool', call: 'a', tool: 'look', outcome: 'cancelled', text: 'half' },
        notice('The user interrupted this turn.'),
      ],
    },
    {
      name: 'one that was killed',
      inputs: [replied('ses_1.4', '', [call('a')]), interrupted, timeReached('ses_1.8')],
      results: [
        { role: 'tool', call: 'a', tool: 'look', outcome: 'cancelled', text: 'Cancelled before it finished.' },
        notice('The user interrupted this turn.'),
      ],
    },
    {
      name: 'one that a crash cut off',
      inputs: [replied('ses_1.4', '', [call('a', 'look', { repeat: 'never' })]), recovered],
      results: [
        {
          role: 'tool',
          call: 'a',
          tool: 'look',
          outcome: 'error',
          text: 'The process stopped while this call was running. It may or may not have taken effect. Check before you do it again.',
        },
      ],
    },
  ])('$name', ({ inputs, results }) => {
    expect(messagesAfter(...started, ...inputs).slice(2)).toEqual(results);
  });
});

test('[H3] a task is reported as calls the user made', () => {
  expect(messagesAfter(created(), task(call('a')), toolSettled('ses_1.4'))).toEqual([
    notice('The user ran these tools directly.'),
    { role: 'assistant', text: '', calls: [asked('a')] },
    { role: 'tool', call: 'a', tool: 'look', outcome: 'success', text: 'ok' },
  ]);
});

describe('a reply that broke off', () => {
  const broken = {
    type: 'failed',
    code: 'model-unavailable',
    message: 'gone',
    retryable: true,
    partial: 'Half',
  } as const;

  test("[H4] isn't in the messages before a retry, so that no request ends with half an answer", () => {
    expect(messagesAfter(...started, modelSettled('ses_1.4', broken), timeReached('ses_1.6'))).toEqual([
      { role: 'user', text: 'go' },
    ]);
  });

  test('[C116][H4] is reported when the turn ends with it', () => {
    expect(messagesAfter(...started, modelSettled('ses_1.4', broken), interrupted)).toEqual([
      { role: 'user', text: 'go' },
      { role: 'assistant', text: 'Half', calls: [] },
      notice('The user interrupted this turn.'),
    ]);
    expect(messagesAfter(...started, interrupted, replied('ses_1.4', 'Nearly all'))).toEqual([
      { role: 'user', text: 'go' },
      { role: 'assistant', text: 'Nearly all', calls: [] },
      notice('The user interrupted this turn.'),
    ]);
  });

  test('[C116][H4] or is empty leaves no empty answer behind', () => {
    expect(messagesAfter(...started, replied('ses_1.4', ''))).toEqual([{ role: 'user', text: 'go' }]);
    expect(messagesAfter(...started, modelSettled('ses_1.4', { ...broken, partial: '' }), interrupted)).toEqual([
      { role: 'user', text: 'go' },
      notice('The user interrupted this turn.'),
    ]);
  });
});

describe('what else the model sees', () => {
  test('[H5] why a turn ended early', () => {
    expect(
      messagesAfter(
        created({ limits: { steps: 1 } }),
        chat('go'),
        replied('ses_1.4', '', [call('a')]),
        toolSettled('ses_1.6'),
      ).at(-1),
    ).toEqual(notice('This turn ended early: The turn reached its limit: steps 1.'));
  });

  test('[Q9][H5] what a reviewer said about its reply', () => {
    const reviewed = [created({ mode: modes.supervised }), chat('go'), replied('ses_1.4', 'Hi.')] as const;

    expect(
      messagesAfter(...reviewed, answered(question(6), { type: 'reject', reason: 'shorter' })).at(-1),
    ).toEqual(notice('The user turned this reply down: shorter'));
    expect(messagesAfter(...reviewed, answered(question(6), 'reject')).at(-1)).toEqual(
      notice('The user turned this reply down.'),
    );
    expect(messagesAfter(...reviewed, answered(question(6), 'allow-once')).at(-1)).toEqual({
      role: 'assistant',
      text: 'Hi.',
      calls: [],
    });
  });

  const report = (state: 'completed' | 'progressed' | 'failed', text?: string): GivenInput => ({
    type: 'worker-reported',
    report: { worker: 'w1' as WorkerId, state, ...optional({ text }) },
  });

  test('[H6] what a worker reports waits for the step boundary, so that results stay behind their calls', () => {
    const between = [replied('ses_1.4', '', [call('a')]), report('completed', 'found it')] as const;

    expect(messagesAfter(...started, ...between).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messagesAfter(...started, ...between, toolSettled('ses_1.6')).slice(2)).toEqual([
      { role: 'tool', call: 'a', tool: 'look', outcome: 'success', text: 'ok' },
      notice('Worker w1 completed: found it'),
    ]);
  });

  test('[H6] a request that is under way does not change', () => {
    expect(messagesAfter(...started, report('failed'))).toEqual([{ role: 'user', text: 'go' }]);
    expect(messagesAfter(...started, report('failed'), replied('ses_1.4', 'Hi.'), chat('and?')).slice(2)).toEqual([
      notice('Worker w1 failed'),
      { role: 'user', text: 'and?' },
    ]);
  });

  test("[H6] progress of a worker isn't in the messages", () => {
    expect(messagesAfter(created(), report('progressed', 'half'), chat('go'))).toEqual([
      { role: 'user', text: 'go' },
    ]);
  });

  test('[A1] what an external agent said', () => {
    const message = {
      type: 'agent-reported',
      effect: 'ses_1.4',
      attempt: 1,
      report: { type: 'message', text: 'Hi.' },
    };

    expect(
      messagesAfter(created({ agent: { name: 'o', runs: 'external' } }), chat('go'), message as GivenInput),
    ).toEqual([
      { role: 'user', text: 'go' },
      { role: 'assistant', text: 'Hi.', calls: [] },
    ]);
  });
});

test('[D5] a prompt is reported as it was last edited, and one that was removed is not', () => {
  const change = (one: object) => ({ type: 'queue-changed', change: one }) as GivenInput;
  const messages = messagesAfter(
    ...started,
    chat('first'),
    chat('second'),
    chat('third'),
    change({ type: 'edited', prompt: 6, text: 'SECOND' }),
    change({ type: 'removed', prompt: 5 }),
    replied('ses_1.4', 'Hi.'),
  );

  expect(messages.slice(2)).toEqual([{ role: 'user', text: 'SECOND' }]);
});

test('[D5] a cleared queue adds no message', () => {
  const cleared = { type: 'queue-changed', change: { type: 'cleared' } } as const;

  expect(messagesAfter(...started, chat('first'), cleared, replied('ses_1.4', 'Hi.'))).toEqual([
    { role: 'user', text: 'go' },
    { role: 'assistant', text: 'Hi.', calls: [] },
  ]);
});

test.each([
  [{ name: 'tokens', used: 80, limit: 100 }, '80', '100 tokens'],
  [{ name: 'tool-calls', used: 4, limit: 5 }, '4', '5 tool calls'],
  [{ name: 'cost', used: 0.8, limit: 1 }, '$0.80', '$1'],
] as const)('[P7] a budget that is nearly spent is reported in its own unit: %j', (neared, spent, most) => {
  const conversation = newConversation(testSession);
  extend(conversation, { seq: 2, at: 1, by: system, event: { type: 'limit-neared', ...neared } });
  beginSpan(conversation, testSession);
  expect(conversation.messages).toEqual([
    {
      role: 'notice',
      text: `${spent} of this session's budget of ${most} are used. Come to an end before it is spent.`,
    },
  ]);
});

test('[C119] a stretch begins without what the one before it left unsaid of a reply that broke off', () => {
  const conversation = newConversation(testSession);
  conversation.brokenOff.push({ role: 'notice', text: 'half' });
  conversation.waiting = new Map();
  beginSpan(conversation, 'ses_0' as SessionId);
  expect([conversation.brokenOff, conversation.waiting, conversation.journal, conversation.prompts]).toEqual([
    [],
    undefined,
    'ses_0',
    [],
  ]);
});

test.each([
  [{ refused: 'person', reason: 'too long' }, ['The user turned down what you asked for: too long']],
  [{ refused: 'policy', reason: 'no shell' }, ['The policy refused what you asked for: no shell']],
  [{ refused: 'person' }, []],
  [{ refused: 'expired', reason: 'too late' }, []],
  [{ reason: 'allowed by rule' }, []],
] as const)('[A5] an agent learns why a person or the policy refused what it asked for: %j', (how, texts) => {
  const conversation = newConversation(testSession);
  const event = { type: 'agent-answered', key: 'k', answer: { type: 'cancelled' }, ...how } as unknown as Event;
  extend(conversation, { seq: 2, at: 1, by: system, event });
  beginSpan(conversation, testSession);
  expect(conversation.messages.map(({ text }) => text)).toEqual(texts);
});

test('[C119] a prompt that waits is reported as it was edited before its stretch begins', () => {
  const conversation = newConversation(testSession);
  const events: readonly Event[] = [
    { type: 'prompt-received', request: { type: 'chat', text: 'first words' }, delivery: 'queue' },
    { type: 'queue-changed', change: { type: 'edited', prompt: 1, text: 'better words' } },
  ];
  for (const [index, event] of events.entries()) {
    extendQueue(conversation, { seq: index + 1, at: 1, by: system, event });
  }
  extend(conversation, { seq: 3, at: 1, by: system, event: { type: 'turn-started', prompt: 1 } });
  expect(conversation.messages).toEqual([{ role: 'user', text: 'better words' }]);
});
