import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, question, type GivenInput } from '../testing/given.ts';
import {
  answered,
  chat,
  created,
  interrupted,
  recovered,
  replied,
  testUsage,
  timeReached,
} from '../testing/inputs.ts';
import type { EffectId } from './ids.ts';
import type { InputBody, Understanding } from './input.ts';
import { extend, newConversation } from './conversation/conversation.ts';
import type { Meaning } from './meaning.ts';
import { modes } from './mode.ts';
import type { QuestionSubject } from './question.ts';
import { turnOf, type State } from './state.ts';
import { newState } from './state.ts';
import { step } from './decide/step.ts';
import { optional } from './optional.ts';
import { timeAt } from './time.ts';

const clarify = { text: 'Shall I fix or explain?', options: ['fix', 'explain'] };
const about: QuestionSubject = { type: 'clarification', ...clarify };
const denyEdit = { verdict: 'deny', tool: 'edit', origin: 'agent' } as const;
const unclear: Meaning = { intent: { verb: 'fix' }, clarify };
const meant = (meaning: Meaning): InputBody => ({ ...chat('the parser?'), ...meaning });
const clarified = (option: string, meaning?: Meaning): GivenInput => ({
  ...answered(question(4), { type: 'option', option }),
  ...optional({ meaning }),
});
const meaningIn = (state: State) => {
  const { intent, rules, clarify: open, understand } = turnOf(state) ?? {};
  return { intent, rules, open, understand };
};
const understood = (outcome: Understanding, attempt = 1): InputBody => ({
  type: 'prompt-understood',
  effect: 'ses_1.4' as EffectId,
  attempt,
  outcome,
});

describe('a prompt that is not clear', () => {
  test('[C104][U1][U2] is asked about before the first model call, once', () => {
    const { state } = given(created())
      .when(meant(unclear))
      .then(
        events(
          {
            type: 'prompt-received',
            request: { type: 'chat', text: 'the parser?', ...unclear },
            delivery: 'queue',
          },
          { type: 'turn-started', prompt: 2 },
          { type: 'question-opened', about },
        ),
        decisions({ type: 'ask', question: { id: question(4), openedAt: 1_000_000, about } }),
      );
    expect(turnOf(state)?.activity).toEqual({ type: 'clarifying', question: question(4) });
  });

  test('[C104][U2] continues with what the answer makes of it, in the same commit, and asks no second time', () => {
    const answer = { intent: { verb: 'explain' }, rules: [denyEdit] };
    const { state } = given(created(), meant(unclear))
      .when(clarified('explain', { ...answer, clarify, understand: 'model' }))
      .then(
        events(
          {
            type: 'question-answered',
            question: question(4),
            answer: { type: 'option', option: 'explain' },
            meaning: answer,
          },
          { type: 'model-call-intended', reserved: 11 },
        ),
        decisions({ type: 'call-model', effect: effect(6), attempt: 1 }),
      );
    expect(meaningIn(state)).toEqual({ ...answer, open: undefined, understand: undefined });
  });

  test('[C104][U2] the model sees the question and its answer', () => {
    let state = newState('ses_1' as State['id']);
    const conversation = newConversation(state.id);
    for (const input of [created(), meant(unclear), clarified('fix')]) {
      const transition = step(state, { at: timeAt(1), by: { type: 'person', name: 'ann' }, ...input });
      for (const recorded of transition.events) extend(conversation, recorded);
      ({ state } = transition);
    }
    expect(conversation.messages).toEqual([
      { role: 'user', text: 'the parser?' },
      { role: 'notice', text: 'The user was asked: Shall I fix or explain? The answer: fix' },
    ]);
  });

  test('[U2] a prompt that comes in the meantime waits, and opens no second question', () => {
    given(created(), meant(unclear))
      .when(meant(unclear))
      .then(
        events({
          type: 'prompt-received',
          request: { type: 'chat', text: 'the parser?', ...unclear },
          delivery: 'queue',
        }),
      );
  });

  test('[U2] without an answer in time continues as it was understood', () => {
    const { state } = given(created({ limits: { questionExpiryMs: 1000 } }), meant(unclear))
      .when({ ...timeReached('ses_1.5'), at: 1_002_000 })
      .then(
        events(
          { type: 'wait-ended', effect: effect(5) },
          { type: 'question-closed', question: question(4), reason: 'expired' },
          { type: 'model-call-intended', reserved: 3 },
        ),
        decisions({ type: 'call-model', effect: effect(8), attempt: 1 }),
      );
    expect(meaningIn(state).intent).toEqual({ verb: 'fix' });
  });

  test('[U2] where nobody can be asked, continues as it was understood', () => {
    const { state } = given(created({ mode: modes.batch }), meant(unclear));
    expect(turnOf(state)?.activity.type).toBe('calling-model');
  });

  test('[U2] interrupted, its question is closed and nothing was called', () => {
    given(created(), meant(unclear))
      .when(interrupted)
      .then(
        events(
          { type: 'question-closed', question: question(4), reason: 'cancelled' },
          { type: 'turn-ended', ending: { type: 'cancelled' } },
        ),
      );
  });

  test('[U2][R6] is asked again after a crash', () => {
    given(created(), meant(unclear))
      .when(recovered)
      .then(decisions({ type: 'ask', question: { id: question(4), openedAt: 1_000_000, about } }));
  });

  test('an answer without a meaning, and an ordinary question, change nothing of what is meant', () => {
    const { state } = given(created(), meant(unclear), clarified('fix'));
    expect(meaningIn(state)).toEqual({
      intent: { verb: 'fix' },
      rules: undefined,
      open: undefined,
      understand: undefined,
    });
  });
});

describe('a model that is asked what is meant', () => {
  const asking: Meaning = { intent: { verb: 'explain' }, understand: 'model' };

  test('[C99][U3] is asked before anything else, and what it may use is set aside', () => {
    given(created())
      .when(meant(asking))
      .then(
        events(
          {
            type: 'prompt-received',
            request: { type: 'chat', text: 'the parser?', ...asking },
            delivery: 'queue',
          },
          { type: 'turn-started', prompt: 2 },
          { type: 'understanding-intended', reserved: 2000 },
        ),
        decisions({ type: 'understand', effect: effect(4), attempt: 1 }),
      );
  });

  test('[C99][U3] ends the turn where it was cancelled by itself', () => {
    given(created(), meant(asking))
      .when(understood({ type: 'cancelled' }))
      .then(
        events(
          { type: 'prompt-understood', effect: effect(4), outcome: { type: 'cancelled' } },
          { type: 'turn-ended', ending: { type: 'cancelled' } },
        ),
      );
  });

  test("[C99][U3] gives the turn its meaning, is charged, and doesn't count as a step", () => {
    const outcome = { type: 'understood', meaning: { intent: { verb: 'fix' } }, usage: testUsage } as const;
    const { state } = given(created(), meant(asking))
      .when(understood(outcome))
      .then(
        events(
          { type: 'prompt-understood', effect: effect(4), outcome },
          { type: 'model-call-intended', reserved: 3 },
        ),
        decisions({ type: 'call-model', effect: effect(6), attempt: 1 }),
      );
    expect([turnOf(state)?.intent, state.usage.steps, state.usage.inputTokens]).toEqual([{ verb: 'fix' }, 1, 10]);
  });

  test('[C104][U2][U3] that is itself unsure leads to one question', () => {
    const outcome = {
      type: 'understood',
      meaning: { intent: { verb: 'fix' }, clarify },
      usage: testUsage,
    } as const;
    given(created(), meant(asking))
      .when(understood(outcome))
      .then(
        events({ type: 'prompt-understood', effect: effect(4), outcome }, { type: 'question-opened', about }),
        decisions({ type: 'ask', question: { id: question(6), openedAt: 1_000_000, about } }),
      );
  });

  test('[U3] that cannot say leaves what the rules made of it', () => {
    const { state } = given(created(), meant(asking), understood({ type: 'unclear', problem: 'busy' }));
    expect([turnOf(state)?.intent, turnOf(state)?.activity.type]).toEqual([{ verb: 'explain' }, 'calling-model']);
  });

  test('[U3][R2] cut off by a crash is asked again under its id, and the lost call is charged', () => {
    const { state } = given(created(), meant(asking))
      .when(recovered)
      .then(
        events(
          { type: 'session-recovered', epoch: 2 },
          { type: 'effect-repeated', effect: effect(4), attempt: 2 },
        ),
        decisions({ type: 'understand', effect: effect(4), attempt: 2 }),
      );
    expect(state.usage.inputTokens).toBe(2000);
  });

  test('[U3] cut off too often, the rules stand', () => {
    const { state } = given(created(), meant(asking), recovered, recovered, recovered);
    expect([turnOf(state)?.intent, turnOf(state)?.activity.type, state.usage.inputTokens]).toEqual([
      { verb: 'explain' },
      'calling-model',
      6000,
    ]);
  });

  test('[U3][X1] interrupted, is cancelled and waited for', () => {
    given(created(), meant(asking), interrupted)
      .when(understood({ type: 'understood', meaning: {}, usage: testUsage }))
      .then(
        events(
          { type: 'prompt-understood', effect: effect(4), outcome: { type: 'cancelled', usage: testUsage } },
          { type: 'turn-ended', ending: { type: 'cancelled' } },
        ),
        decisions({ type: 'cancel', effect: effect(6), graceMs: 0 }),
      );
  });

  test('[U3] a late answer is ignored', () => {
    given(created(), meant(asking), recovered)
      .when(understood({ type: 'unclear', problem: 'late' }))
      .then(events());
  });

  test('[U3][L4] without room in the budget is not asked', () => {
    const { state } = given(created({ limits: { tokens: 1500 } }), meant(asking));
    expect(turnOf(state)?.activity.type).toBe('calling-model');
  });
});

test('[U1] an ordinary prompt costs no additional commit and no additional call', () => {
  const { state } = given(created())
    .when(meant({ intent: { verb: 'fix' }, rules: [denyEdit] }))
    .then(
      events(
        {
          type: 'prompt-received',
          request: { type: 'chat', text: 'the parser?', intent: { verb: 'fix' }, rules: [denyEdit] },
          delivery: 'queue',
        },
        { type: 'turn-started', prompt: 2 },
        { type: 'model-call-intended', reserved: 3 },
      ),
      decisions({ type: 'call-model', effect: effect(4), attempt: 1 }),
    );
  given(created(), meant({}), replied('ses_1.4', 'Done.'));
  expect(meaningIn(state)).toEqual({
    intent: { verb: 'fix' },
    rules: [denyEdit],
    open: undefined,
    understand: undefined,
  });
});

describe('[U1] a prompt that waits and is edited', () => {
  const waiting = [
    created(),
    chat('first'),
    meant({ intent: { verb: 'explain' }, rules: [denyEdit], clarify }),
  ] as const;
  const edited = (meaning?: Meaning): InputBody => ({
    type: 'queue-changed',
    change: { type: 'edited', prompt: 5, text: 'mend the parser', ...optional({ meaning }) },
  });

  test('starts its turn with what the new words mean, and nothing of the old', () => {
    const { state } = given(...waiting, edited({ intent: { verb: 'fix' } }), replied('ses_1.4', 'Done.'));
    expect(turnOf(state)?.prompts).toEqual([5]);
    expect(meaningIn(state)).toEqual({
      intent: { verb: 'fix' },
      rules: undefined,
      open: undefined,
      understand: undefined,
    });
  });

  test('keeps its meaning where the edit brings none, as journals of before have it', () => {
    const { state } = given(...waiting, edited());
    expect(state.queue.prompts.map(({ request }) => request)).toEqual([
      { type: 'chat', text: 'mend the parser', intent: { verb: 'explain' }, rules: [denyEdit], clarify },
    ]);
  });
});
