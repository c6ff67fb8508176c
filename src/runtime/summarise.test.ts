import { expect, test } from 'vitest';

import { extend, newConversation } from '../kernel/conversation/conversation.ts';
import type { InputBody } from '../kernel/input.ts';
import type { State } from '../kernel/state.ts';
import { effect, testSession, played } from '../testing/given.ts';
import { call, chat, created, replied, toolSettled } from '../testing/inputs.ts';
import { testEffort } from '../testing/test-effort.ts';
import type { Capabilities } from './capabilities.ts';
import type { ModelRequest, ModelResult } from '../ports/model.ts';
import { summarise } from './summarise.ts';

const usage = { inputTokens: 10, outputTokens: 5 };
const words = (count: number) => 'word'.repeat(count);
const saying = (text: string): ModelResult => ({ type: 'completed', text, calls: [], usage, stop: 'end' });

function play(...inputs: readonly InputBody[]) {
  const { state, events } = played(...inputs);
  const conversation = newConversation(testSession);
  for (const recorded of events) extend(conversation, recorded);
  return { state, conversation };
}

async function summarised(
  played: ReturnType<typeof play>,
  result: ModelResult | string,
  { why = 'asked', ...more }: { readonly why?: 'asked' | 'full'; readonly keep?: string } = {},
) {
  const requests: ModelRequest[] = [];
  const model = { name: 'm', call: async (request: ModelRequest) => (requests.push(request), result) };
  const capabilities = {
    models: { resolve: () => (typeof result === 'string' ? result : model) },
    briefing: { system: () => 'Be brief.', roots: () => [] },
    tools: { get: () => undefined, offered: () => [] },
  } as unknown as Capabilities;
  const { effort } = testEffort({ state: played.state, conversation: async () => played.conversation });
  const decision = { type: 'summarise', effect: effect(4), attempt: 1, why, ...more } as const;
  const settled = await summarise(decision, capabilities).run(effort);
  return { settled, outcome: 'outcome' in settled ? settled.outcome : undefined, requests };
}

const twoTurns = () =>
  play(
    created({ limits: { contextTokens: 10_000 } }),
    chat(words(30)),
    replied(effect(4), words(30)),
    chat(words(10)),
    replied(effect(9), words(10)),
  );
const kept = { constraints: [], open: [], files: [] };

test('[C116][V5] the model summarizes the older messages; the newest turn and the summary remain', async () => {
  const { settled, requests } = await summarised(twoTurns(), saying('  in short  '), { keep: 'the numbers' });
  expect(settled).toEqual({
    type: 'summary-settled',
    effect: effect(4),
    attempt: 1,
    usage,
    outcome: {
      type: 'completed',
      summary: 'in short',
      kept,
      // The summary with its opening words, and 10 + 10 words.
      rest: { from: 8, messages: 3, tokens: 41 },
    },
  });
  const [request] = requests;
  expect(request?.messages.slice(0, 2)).toEqual([
    { role: 'user', text: words(30) },
    { role: 'assistant', text: words(30), calls: [] },
  ]);
  expect(request?.messages).toHaveLength(3);
  expect(request?.messages[2]?.text).toContain('Above all keep this, which the user asked for: the numbers');
  expect([request?.purpose, request?.lane, request?.maxOutputTokens]).toEqual(['summary', 'main', 2000]);
});

test('[C117][V5] inside one huge turn its prompts are reported again, and count among what is left', async () => {
  const huge = play(
    created({ limits: { contextTokens: 100 } }),
    chat(words(10)),
    replied(effect(4), '', [call('a')]),
    toolSettled(effect(6), words(60)),
    replied(effect(8), '', [call('b')]),
    toolSettled(effect(10), words(25)),
  );
  const { outcome } = await summarised(huge, saying('s'), { why: 'full' });
  expect(outcome).toMatchObject({ rest: { from: 8, restated: [2], messages: 4 } });
  const rest = outcome !== undefined && 'rest' in outcome ? outcome.rest : undefined;
  const plain = await summarised(twoTurns(), saying('s'));
  const plainRest = plain.outcome !== undefined && 'rest' in plain.outcome ? plain.outcome.rest : undefined;
  // 10 words of the prompt, 25 of a result and the call's arguments, instead of 10 + 10 words.
  expect((rest?.tokens ?? 0) - (plainRest?.tokens ?? 0)).toBe(16);
});

test('[C117] a failed summary cancels a requested compaction, but a full context is still cut', async () => {
  const failed: ModelResult = { type: 'failed', code: 'model-unavailable', message: 'down', retryable: true };
  expect((await summarised(twoTurns(), failed)).outcome).toEqual({
    type: 'failed',
    message: "Can't summarize the conversation: down",
  });
  expect((await summarised(twoTurns(), 'There is no model.', { why: 'full' })).outcome).toMatchObject({
    type: 'failed',
    message: 'There is no model.',
    kept,
    rest: { from: 8 },
  });
  expect((await summarised(twoTurns(), saying('   '))).outcome).toEqual({
    type: 'failed',
    message: "Can't summarize the conversation: the model gave no summary",
  });
  const refusing = { ...saying('I will not.'), stop: 'refusal' } as ModelResult;
  expect((await summarised(twoTurns(), refusing)).outcome).toMatchObject({ type: 'failed' });
  expect((await summarised(twoTurns(), { type: 'cancelled' })).outcome).toEqual({ type: 'cancelled' });
});

test('[C117] a summary longer than its share of the window is cut', async () => {
  const { outcome } = await summarised(twoTurns(), saying('x'.repeat(9000)));
  const summary = outcome !== undefined && 'summary' in outcome ? outcome.summary : '';
  expect(summary).toBe(`${'x'.repeat(8000)}\n[the summary was longer and is cut here]`);
  expect((await summarised(twoTurns(), saying('x'.repeat(8000)))).outcome).toMatchObject({
    summary: 'x'.repeat(8000),
  });
});

test('[V8] no model is called if nothing can be summarized', async () => {
  const { outcome, requests } = await summarised(play(created(), chat('hi')), saying('s'));
  expect([outcome, requests]).toEqual([
    { type: 'unneeded', message: 'There is nothing yet that a summary would make shorter.' },
    [],
  ]);
});

test('[C117] a summary gets a fifth of the window, 4,096 tokens at most and one at least', async () => {
  const most = async (contextTokens: number | undefined) => {
    const limits = contextTokens === undefined ? {} : { contextTokens };
    const { state, conversation } = twoTurns();
    const limited = { ...state, limits: { ...state.limits, contextTokens: undefined, ...limits } } as State;
    const { requests } = await summarised({ state: limited, conversation }, saying('s'));
    return requests[0]?.maxOutputTokens;
  };
  expect(await Promise.all([undefined, 100_000, 20_475, 5, 4].map(most))).toEqual([4096, 4096, 4095, 1, 1]);
});
