// Model requests, and what the answers become: replies, understood prompts.
import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import { effect, given } from '../testing/given.ts';
import { chat, created } from '../testing/inputs.ts';
import { testEffort } from '../testing/test-effort.ts';
import { callModel } from './call-model.ts';
import type { AskedMeaning, Capabilities } from './capabilities.ts';
import type { Model, ModelRequest, ModelResult, ModelSink } from '../ports/model.ts';
import { carryOutUnderstand } from './understand.ts';

const usage = { inputTokens: 10, outputTokens: 5 };
const completed = (text: string): ModelResult => ({ type: 'completed', text, calls: [], usage, stop: 'end' });
const names = { effect: effect(4), attempt: 1 };

function capabilitiesWith(
  model: Partial<Model> | string,
  more: { readonly understand?: (prompt: string) => AskedMeaning | undefined } = {},
): Capabilities {
  return {
    models: { resolve: () => (typeof model === 'string' ? model : { name: 'm', ...model }) },
    briefing: {
      system: () => 'Be brief.',
      roots: () => ['/work'],
      ...(more.understand !== undefined && {
        understand: async (_state: unknown, prompt: string) => more.understand?.(prompt),
      }),
    },
    tools: { get: () => undefined, offered: () => [] },
  } as unknown as Capabilities;
}

/** A model with this answer, and the requests it received. */
function modelSaying(result: ModelResult | ((sink: ModelSink) => ModelResult), more: Partial<Model> = {}) {
  const requests: Omit<ModelRequest, 'read'>[] = [];
  const model: Partial<Model> = {
    ...more,
    call: async (request, sink) => {
      const { read: _, ...rest } = request;
      requests.push(rest);
      return typeof result === 'function' ? result(sink) : result;
    },
  };
  return { model, requests };
}

const decision = { type: 'call-model', ...names } as const;
const outcomeOf = async (work: ReturnType<typeof callModel>, { effort }: ReturnType<typeof testEffort>) => {
  const settled = await work.run(effort);
  return 'outcome' in settled ? settled.outcome : settled;
};

test('[C19] a model call brings the whole request, and its reply names the model that was found', async () => {
  const { model, requests } = modelSaying(completed('Hello.'), { contextTokens: 1000 });
  const given4 = testEffort();
  const settled = await callModel({ ...decision, maxOutputTokens: 99 }, capabilitiesWith(model)).run(
    given4.effort,
  );
  expect(requests).toEqual([
    {
      session: 'ses_1',
      ...names,
      lane: 'main',
      system: 'Be brief.',
      messages: [{ role: 'user', text: 'hi' }],
      tools: [],
      maxOutputTokens: 99,
    },
  ]);
  expect(settled).toEqual({
    type: 'model-settled',
    ...names,
    outcome: {
      type: 'completed',
      text: 'Hello.',
      calls: [],
      usage,
      stop: 'end',
      model: 'm',
      contextTokens: 1000,
      sent: expect.any(Number) as number,
    },
  });
});

test('[C19] the calls of a worker take the lane of workers', async () => {
  const { model, requests } = modelSaying(completed(''));
  const { state } = given(created({ parent: 'ses_0' as SessionId }), chat('hi'));
  await callModel(decision, capabilitiesWith(model)).run(testEffort({ state }).effort);
  expect(requests.map(({ lane }) => lane)).toEqual(['worker']);
});

test("[C19] estimated usage isn't compared with the request, and the model's own name is kept", async () => {
  const result = { ...completed(''), model: 'own', usage: { ...usage, estimated: true } } as ModelResult;
  const { model } = modelSaying(result, { contextTokens: 1000 });
  expect(await outcomeOf(callModel(decision, capabilitiesWith(model)), testEffort())).toEqual({
    ...result,
    contextTokens: 1000,
  });
});

test('[C21] a failed call keeps what was said before it failed, and when to try again', async () => {
  const failed = { type: 'failed', code: 'model-unavailable', message: 'down', retryable: true } as const;
  const saying = (result: ModelResult, words: string) =>
    modelSaying((sink) => (words && sink.text(words), result)).model;
  const of = (model: Partial<Model>) => outcomeOf(callModel(decision, capabilitiesWith(model)), testEffort());
  expect(await of(saying({ ...failed, retryAt: 5000 }, 'so far'))).toEqual({
    ...failed,
    retryAt: 5000,
    partial: 'so far',
  });
  expect(await of(saying(failed, ''))).toEqual(failed);
  expect(await of(saying({ type: 'timed-out', message: 'slow' }, ''))).toEqual({
    type: 'timed-out',
    message: 'slow',
  });
});

test('[P6] a call that is cut short counts what it was sent and what it said; one that never began counts nothing', async () => {
  const never = Promise.withResolvers<ModelResult>();
  const model: Partial<Model> = {
    call: (_request, sink) => (sink.text('eight letters, then more'), never.promise),
  };
  const work = callModel(decision, capabilitiesWith(model));
  const { effort } = testEffort();
  expect(work.cancelled(effort)).toEqual({ type: 'model-settled', ...names, outcome: { type: 'cancelled' } });
  void work.run(effort);
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(work.cancelled(effort)).toEqual({
    type: 'model-settled',
    ...names,
    outcome: {
      type: 'cancelled',
      partial: 'eight letters, then more',
      usage: { inputTokens: 4, outputTokens: 6, estimated: true },
    },
  });
  const free = callModel(decision, capabilitiesWith({ ...model, cost: () => 0 }));
  void free.run(effort);
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(free.cancelled(effort)).toMatchObject({
    outcome: { usage: { inputTokens: 4, outputTokens: 6, cost: 0, estimated: true } },
  });
  expect(work.broke(effort, 'broken')).toEqual({
    type: 'model-settled',
    ...names,
    outcome: {
      type: 'failed',
      code: 'fault',
      message: 'broken',
      retryable: true,
      partial: 'eight letters, then more',
    },
  });
});

test('[P6] a call that was cancelled while it was prepared is not sent', async () => {
  const { model, requests } = modelSaying(completed('late'));
  const started = testEffort();
  const running = outcomeOf(callModel(decision, capabilitiesWith(model)), started);
  started.effort.context.cancel();
  expect([await running, requests]).toEqual([{ type: 'cancelled' }, []]);
});

test('[P6] once a call is cancelled, nothing more of it is heard', async () => {
  const started = testEffort();
  const { model } = modelSaying((sink) => {
    for (const say of [sink.text, sink.reasoning, sink.status]) say('before');
    started.effort.context.cancel();
    for (const say of [sink.text, sink.reasoning, sink.status]) say('after');
    return { type: 'cancelled' };
  });
  expect(await outcomeOf(callModel(decision, capabilitiesWith(model)), started)).toEqual({
    type: 'cancelled',
    partial: 'before',
  });
  expect(started.reported).toEqual(['text: before', 'reasoning: before', 'status: before']);
});

const understanding = { type: 'understand', ...names } as const;
const meaning = { intent: { verb: 'look' }, rules: [] };
const asks = (prompt: string): AskedMeaning => ({
  system: `What does this mean: ${prompt}`,
  maxOutputTokens: 50,
  read: async (answer) => (answer === 'look' ? meaning : `"${answer}" is no meaning`),
});

async function understood(result: ModelResult, more: Parameters<typeof testEffort>[0] = {}, asked = asks) {
  const { model, requests } = modelSaying(result);
  const work = carryOutUnderstand(understanding, capabilitiesWith(model, { understand: asked }));
  const outcome = await outcomeOf(work, testEffort(more));
  return { outcome, requests };
}

test('[U1] a model is asked what the last prompt means, and only the checked meaning is kept', async () => {
  const messages = async () => [
    { role: 'user', text: 'earlier' } as const,
    { role: 'user', text: 'p'.repeat(3000) } as const,
    { role: 'notice', text: 'later' } as const,
  ];
  const { outcome, requests } = await understood(completed('look'), { messages });
  expect(outcome).toEqual({ type: 'understood', meaning, usage, model: 'm' });
  expect(requests).toEqual([
    {
      session: 'ses_1',
      ...names,
      lane: 'main',
      system: `What does this mean: ${'p'.repeat(3000)}`,
      messages: [{ role: 'user', text: 'p'.repeat(2000) }],
      tools: [],
      maxOutputTokens: 50,
    },
  ]);
  const { state } = given(created({ parent: 'ses_0' as SessionId }), chat('hi'));
  expect((await understood(completed('look'), { state })).requests.map(({ lane }) => lane)).toEqual(['worker']);
});

test('[U1] an unusable answer, a failure or a missing question leaves the prompt unclear', async () => {
  expect((await understood(completed('banana'))).outcome).toEqual({
    type: 'unclear',
    problem: '"banana" is no meaning',
    model: 'm',
    usage,
  });
  const failed: ModelResult = { type: 'failed', code: 'model-unavailable', message: 'down', retryable: true };
  expect((await understood(failed)).outcome).toEqual({ type: 'unclear', problem: 'down', model: 'm' });
  expect((await understood({ ...failed, usage })).outcome).toMatchObject({ usage });
  expect((await understood({ type: 'cancelled' })).outcome).toEqual({ type: 'cancelled' });
  expect((await understood(completed('look'), {}, () => undefined as never)).outcome).toEqual({
    type: 'unclear',
    problem: 'Agent tester has no way to ask.',
  });
  const { effort } = testEffort();
  const work = carryOutUnderstand(understanding, capabilitiesWith('There is no model.'));
  expect(await work.run(effort)).toMatchObject({ outcome: { type: 'unclear', problem: 'There is no model.' } });
  expect([work.cancelled(effort), work.broke(effort, 'broken')]).toEqual([
    { type: 'prompt-understood', ...names, outcome: { type: 'cancelled' } },
    { type: 'prompt-understood', ...names, outcome: { type: 'unclear', problem: 'broken' } },
  ]);
});

test('[U1] a session without a prompt asks about an empty one', async () => {
  const { requests } = await understood(completed('look'), { messages: async () => [] });
  expect(requests.map(({ messages }) => messages)).toEqual([[{ role: 'user', text: '' }]]);
});
