import { describe, expect, test } from 'vitest';

import { decisions, effect, events, given, refusal, type GivenInput } from '../testing/given.ts';
import { call, chat, created, replied, toolSettled } from '../testing/inputs.ts';
import { addSpending, budgetLeft, placesLeft, spendingBetween, spendingOf } from './budget.ts';
import { extend, newConversation } from './conversation/conversation.ts';
import type { SessionId, WorkerId } from './ids.ts';
import { optional } from './optional.ts';
import type { Usage } from './outcome.ts';
import type { Allotment } from './report.ts';

type Report = Extract<GivenInput, { type: 'worker-reported' }>;

const spawned = (worker: string, allotment?: Allotment): Report => ({
  type: 'worker-reported',
  report: { worker: worker as WorkerId, state: 'spawned', ...optional({ allotment }) },
});
const completed = (worker: string, usage: Usage): Report => ({
  type: 'worker-reported',
  report: { worker: worker as WorkerId, state: 'completed', usage },
});

describe('live workers', () => {
  test('[C73][K2] one more than the limit is refused, and one that ended makes room', () => {
    const full = given(created({ limits: { children: 2 } }), spawned('w1'), spawned('w2'));
    full
      .when(spawned('w3'))
      .then(refusal('limit', 'session ses_1 has 0 of its 2 places for live workers left; wait for one to end'));
    full
      .when(completed('w1', { inputTokens: 1, outputTokens: 1 }))
      .then(events(completed('w1', { inputTokens: 1, outputTokens: 1 })))
      .when(spawned('w3'))
      .then(events(spawned('w3')));
  });
});

describe('the budget of a parent', () => {
  const parent = given(created({ limits: { tokens: 1000, cost: 1 } }), spawned('w1', { tokens: 600, cost: 0.5 }));

  test('[P7][K3] an allotment counts as used, and one that does not fit is refused', () => {
    expect(budgetLeft(parent.state)).toEqual({ tokens: 400, cost: 0.5 });
    parent
      .when(spawned('w2', { tokens: 401 }))
      .then(refusal('limit', 'session ses_1 has 400 of its limit of 1000 left in tokens, not 401'));
    parent
      .when(spawned('w2', { cost: 0.6 }))
      .then(refusal('limit', 'session ses_1 has 0.5 of its limit of 1 left in US dollars, not 0.6'));
  });

  test('[P7][K3] more for a worker that has some is checked by the difference', () => {
    const more = spawned('w1', { tokens: 1000, cost: 0.5 });
    const { state } = parent.when(more).then(events(more));
    expect(budgetLeft(state)).toEqual({ tokens: 0, cost: 0.5 });
  });

  test('[P7][K3] what the child did not use is back when it ends; what it used is part of the total', () => {
    const used = { inputTokens: 100, outputTokens: 50, cost: 0.25 };
    const { state } = parent.when(completed('w1', used)).then(events(completed('w1', used)));
    expect(budgetLeft(state)).toEqual({ tokens: 850, cost: 0.75 });
    expect(spendingOf(state)).toEqual({ tokens: 150, outputTokens: 50, cost: 0.25, toolCalls: 0 });
  });

  test('[P7][C138][K3] what a live child reported so far is part of the total, and of what was set aside for it', () => {
    const usage = { inputTokens: 100, outputTokens: 50, cost: 0.25 };
    const progressed: Report = {
      type: 'worker-reported',
      report: { worker: 'w1' as WorkerId, state: 'progressed', usage, unpricedCalls: 1 },
    };
    const { state } = parent.when(progressed).then(events(progressed));
    expect(spendingOf(state)).toEqual({
      tokens: 150,
      outputTokens: 50,
      cost: 0.25,
      unpricedCalls: 1,
      toolCalls: 0,
    });
    expect(budgetLeft(state)).toEqual({ tokens: 400, cost: 0.5 });
    const ended = parent.when(progressed).then(events(progressed)).when(completed('w1', usage));
    expect(spendingOf(ended.transition.state)).toEqual({
      tokens: 150,
      outputTokens: 50,
      cost: 0.25,
      toolCalls: 0,
    });
  });

  test('[P7][C138][K3] a live child without an allotment counts with what it reported', () => {
    const usage = { inputTokens: 900, outputTokens: 100 };
    const { state } = given(created({ limits: { tokens: 1000 } }), spawned('w1'), {
      type: 'worker-reported',
      report: { worker: 'w1' as WorkerId, state: 'progressed', usage },
    });
    expect(budgetLeft(state)).toEqual({ tokens: 0 });
  });

  test('[P7][K3] a parent that gave its whole budget away makes no call itself', () => {
    given(created({ limits: { tokens: 100 } }), spawned('w1', { tokens: 100 }))
      .when(chat('go'))
      .then(
        events(
          { type: 'prompt-received', delivery: 'queue', request: { type: 'chat', text: 'go' } },
          { type: 'turn-started', prompt: 3 },
          {
            type: 'turn-ended',
            ending: { type: 'failed', code: 'limit-tokens', message: 'The turn reached its limit: tokens 100.' },
          },
        ),
        decisions(),
      );
  });
});

describe('tool calls of a session and its children', () => {
  const parent = given(created({ limits: { totalToolCalls: 10 } }), spawned('w1', { toolCalls: 9 }));

  test('[P7][K3] are set aside, counted and given back like tokens', () => {
    expect(budgetLeft(parent.state)).toEqual({ toolCalls: 1 });
    parent
      .when(spawned('w2', { toolCalls: 2 }))
      .then(refusal('limit', 'session ses_1 has 1 of its limit of 10 left in tool calls, not 2'));
    const used = { inputTokens: 1, outputTokens: 1 };
    const ended: Report = {
      type: 'worker-reported',
      report: { worker: 'w1' as WorkerId, state: 'completed', usage: used, toolCalls: 4 },
    };
    const { state } = parent.when(ended).then(events(ended));
    expect(budgetLeft(state)).toEqual({ toolCalls: 6 });
    expect(spendingOf(state)).toEqual({ tokens: 2, outputTokens: 1, cost: 0, toolCalls: 4 });
  });

  test('[P7][K3] that are all used or given away end the turn at the next call', () => {
    const { state } = given(
      created({ limits: { totalToolCalls: 2 } }),
      spawned('w1', { toolCalls: 1 }),
      chat('go'),
      replied('ses_1.5', '', [call('a')]),
      toolSettled('ses_1.7'),
      replied('ses_1.9', '', [call('b')]),
    );
    expect(state.lastEnding?.ending).toEqual({
      type: 'failed',
      code: 'limit-tool-calls',
      message: 'The turn reached its limit: tool-calls 2.',
    });
  });
});

describe('places for live workers', () => {
  test('[P7][C73][K2] those a child may fill itself are taken from its parent', () => {
    const parent = given(created({ limits: { children: 4 } }), spawned('w1', { children: 2 }));
    expect(placesLeft(parent.state)).toBe(1);
    parent
      .when(spawned('w2', { children: 1 }))
      .then(refusal('limit', 'session ses_1 has 1 of its 4 places for live workers left; wait for one to end'));
    parent.when(spawned('w2')).then(events(spawned('w2')));
  });
});

describe('the notice at 80 %', () => {
  const near = { type: 'limit-neared', name: 'cost', used: 0.001, limit: 0.0012 } as const;
  const working = given(created({ limits: { cost: 0.0012 } }), chat('go'), replied('ses_1.4', '', [call('a')]));

  test('[P7][K4] comes before the next call to the model, and once for each value of the limit', () => {
    const state = working.when(toolSettled('ses_1.6')).then(
      events({ type: 'tool-settled', call: call('a').id, result: { type: 'success', output: 'ok' } }, near, {
        type: 'model-call-intended',
        reserved: 3,
      }),
      decisions({ type: 'call-model', effect: effect(9), attempt: 1 }),
    );
    expect(state.state.neared).toEqual({ cost: 0.0012 });
  });

  test('[P7][K4] is reported to the model in words', () => {
    const conversation = newConversation('ses_1' as SessionId);
    extend(conversation, { seq: 8, at: 0, by: { type: 'system', name: 'rondo' }, event: near });
    expect(conversation.messages).toEqual([
      {
        role: 'notice',
        text: "$0.00 of this session's budget of $0.0012 are used. Come to an end before it is spent.",
      },
    ]);
  });
});

describe('a verdict', () => {
  const verdict = (action: 'note' | 'warn' | 'stop') =>
    ({
      type: 'verdict-reached',
      verdict: { verdict: 'looping', evidence: 'look was called 6 times.', action },
    }) as const;
  const running = given(created(), chat('go'));

  test('[P7][K5] is recorded with its evidence; a warning is reported to the model at the next step', () => {
    for (const action of ['note', 'warn'] as const) {
      running.when(verdict(action)).then(events(verdict(action)), decisions());
    }
    const conversation = newConversation('ses_1' as SessionId);
    const by = { type: 'system', name: 'rondo' } as const;
    extend(conversation, { seq: 5, at: 0, by, event: verdict('warn') });
    expect(conversation.messages).toEqual([]);
    extend(conversation, { seq: 6, at: 0, by, event: { type: 'model-call-intended', reserved: 0 } });
    expect(conversation.messages).toEqual([
      {
        role: 'notice',
        text: 'You seem to be looping: look was called 6 times. Do something else, or say why it cannot be done.',
      },
    ]);
  });

  test('[P7][K5] that stops ends the turn as failed, what runs cancelled first', () => {
    const { transition } = running.when(verdict('stop'));
    expect(transition.events.map(({ event }) => event)).toMatchObject([
      verdict('stop'),
      {
        type: 'turn-interrupted',
        ending: {
          type: 'failed',
          code: 'looping',
          message: 'The turn was stopped as looping: look was called 6 times.',
        },
      },
      { type: 'wait-intended', why: 'cancel-grace' },
    ]);
  });

  test('[K5] on a session idle changes nothing', () => {
    given(created()).when(verdict('stop')).then(events(), decisions());
  });
});

test('[P7][K3] the usage between two moments is the difference, without unchanged entries', () => {
  const before = { tokens: 10, outputTokens: 4, cost: 0.5, unpricedCalls: 2, toolCalls: 1 };
  const after = { tokens: 25, outputTokens: 9, cost: 0.75, unpricedCalls: 3, toolCalls: 4 };
  expect(spendingBetween(before, after)).toEqual({
    tokens: 15,
    outputTokens: 5,
    cost: 0.25,
    unpricedCalls: 1,
    toolCalls: 3,
  });
  expect(spendingBetween(before, before)).toEqual({ tokens: 0, cost: 0, toolCalls: 0 });
  expect(addSpending({ tokens: 1, cost: 1 }, { tokens: 2, cost: 2 })).toEqual({
    tokens: 3,
    cost: 3,
    toolCalls: 0,
  });
});
