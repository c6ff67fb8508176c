import { expect, test } from 'vitest';

import { decisions, effect, events, given, question, testSession, testTime } from '../testing/given.ts';
import {
  answered,
  call,
  changingCall,
  chat,
  created,
  interrupted,
  replied,
  reply,
  toolSettled,
} from '../testing/inputs.ts';
import { extend, newConversation } from './conversation/conversation.ts';
import { modes } from './mode.ts';
import { turnOf } from './state.ts';

const a = call('a');
/** What the call had done to a file, taken back. */
const change = { ...changingCall('a.then-1'), follows: a.id };
const settled = { ...toolSettled('ses_1.6'), followUps: [change] };
const ok = { type: 'success', output: 'ok' } as const;

const asked = {
  type: 'approval',
  call: change.id,
  tool: change.tool,
  rule: 'default',
  reason: 'No rule allows this, so a person decides.',
  grants: [change.tool],
} as const;

test('[T5] [S7] [S8] a reverted change is asked about before the turn continues, and made after a yes', () => {
  given(created(), chat('go'), replied('ses_1.4', '', [a]))
    .when(settled)
    .then(
      events(
        { type: 'tool-settled', call: a.id, result: ok, followUps: [change] },
        {
          type: 'question-opened',
          about: asked,
        },
      ),
      decisions({
        type: 'ask',
        question: { id: question(8), about: asked, openedAt: testTime },
      }),
    )
    .when(answered(question(8), 'allow-once'))
    .then(
      events(
        { type: 'question-answered', question: question(8), answer: { type: 'allow-once' } },
        { type: 'tool-run-intended', call: change.id, repeat: change.facts.repeat, rule: 'default' },
      ),
      decisions({ type: 'run-tool', effect: effect(10), attempt: 1, call: change }),
    )
    .when(toolSettled('ses_1.10', 'made'))
    .then(
      events(
        { type: 'tool-settled', call: change.id, result: { type: 'success', output: 'made' } },
        { type: 'model-call-intended', reserved: 4 },
      ),
      decisions({ type: 'call-model', effect: effect(12), attempt: 1 }),
    );
});

test('[S7] [P9] where nobody can be asked it stays undone, and the turn continues', () => {
  const { transition } = given(created({ mode: modes.batch }), chat('go'), replied('ses_1.4', '', [a])).when(
    settled,
  );
  expect(transition.events.map(({ event }) => event)).toEqual([
    { type: 'tool-settled', call: a.id, result: ok, followUps: [change] },
    {
      type: 'call-refused',
      call: change.id,
      code: 'policy',
      reason: 'No rule allows this and nobody can be asked in this mode.',
      rule: 'default',
    },
    { type: 'model-call-intended', reserved: expect.any(Number) as number },
  ]);
});

test('[S7] a person who turns such changes down does not end the turn with it', () => {
  const changes = ['1', '2', '3'].map((number) => ({ ...changingCall(`a.then-${number}`), follows: a.id }));
  const { state } = given(
    created(),
    chat('go'),
    replied('ses_1.4', '', [a]),
    { ...toolSettled('ses_1.6'), followUps: changes },
    answered(question(8), 'reject'),
    answered(question(9), 'reject'),
    answered(question(10), 'reject'),
  );
  expect(turnOf(state)).toMatchObject({ rejections: 0, failedCalls: 0, activity: { type: 'calling-model' } });
});

test('[S7] a cancelled turn makes no change any more', () => {
  const { transition } = given(created(), chat('go'), replied('ses_1.4', '', [a]), interrupted).when(settled);
  expect(transition.events.map(({ event }) => event)).toEqual([
    { type: 'tool-settled', call: a.id, result: { type: 'cancelled', output: 'ok' } },
    { type: 'turn-ended', ending: { type: 'cancelled' } },
  ]);
});

test('[C29] the model, which never called it, learns of it by a notice', () => {
  const conversation = newConversation(testSession);
  const recorded = [
    { type: 'model-settled', effect: effect(4), outcome: reply('', [a]) },
    { type: 'tool-settled', call: a.id, result: ok, followUps: [change] },
    { type: 'call-refused', call: change.id, code: 'person', reason: 'The user rejected this call.' },
    { type: 'model-call-intended', reserved: 9 },
  ] as const;
  for (const [index, event] of recorded.entries())
    extend(conversation, { seq: index + 5, at: 0, by: { type: 'system', name: 'rondo' }, event } as never);
  expect(conversation.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'notice']);
});
