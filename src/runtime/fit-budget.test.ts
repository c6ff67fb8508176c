import { expect, test } from 'vitest';

import type { BlobHash, EffectId, SessionId } from '../kernel/ids.ts';
import { newState, type State } from '../kernel/state.ts';
import { fitBudget } from './fit-budget.ts';
import type { Model, ModelRequest } from '../ports/model.ts';
import { requestTokens } from './request-tokens.ts';

const request: ModelRequest = {
  session: 'ses_1' as SessionId,
  effect: 'ses_1.4' as EffectId,
  attempt: 1,
  lane: 'main',
  system: 'x'.repeat(400),
  messages: [{ role: 'user', text: 'y'.repeat(40) }],
  tools: [{ name: 'look', description: 'z'.repeat(200), parameters: { type: 'object' } }],
  read: () => Promise.resolve(''),
};
const sent = requestTokens(request);

/** $10 per million tokens in, $50 per million out. */
const cost = (input: number, output: number) => (input * 10 + output * 50) / 1_000_000;
const model = { name: 'acme/large', cost } as Pick<Model, 'name' | 'cost'> as Model;

function stateWith(limits: Partial<State['limits']>, rest: Partial<State> = {}): State {
  const state = newState(request.session);
  return { ...state, ...rest, limits: { ...state.limits, ...limits } };
}

test('[P7][C117][L4] system prompt, tools, messages and attachments are all counted', () => {
  expect(sent).toBe(100 + 1 + 50 + 6 + 10);
  const content = { blob: 'b' as BlobHash, length: 4000, preview: 'w'.repeat(100) };
  const attachments = [
    { name: 'a.txt', mediaType: 'text/plain', content },
    { name: 'a.png', mediaType: 'image/png', content },
  ];
  const attached = { ...request, messages: [{ role: 'user', text: '', attachments }] as const };
  expect(requestTokens(attached)).toBe(sent - 10 + 1000 + 1600);
});

test('[L4] sends the request unchanged without a limit', () => {
  expect(fitBudget(request, model, stateWith({}))).toEqual({ type: 'fits', request, sent });
});

test("[P7][L4] the remaining tokens are the call's output limit", () => {
  expect(fitBudget(request, model, stateWith({ tokens: 500 }))).toEqual({
    type: 'fits',
    request: { ...request, maxOutputTokens: 500 - sent },
    sent,
  });
});

test('[P7][L4] a request that does not fit is not sent', () => {
  expect(fitBudget(request, model, stateWith({ tokens: 100 }))).toEqual({
    type: 'failed',
    code: 'limit-tokens',
    message: `The next model call was not sent: it needs about ${sent} tokens, and 100 of 100 tokens are left. Raise the limit, or start a new session.`,
    retryable: false,
  });
});

test('[P7][C117][L4] the estimate is calibrated by what the provider counted before', () => {
  const context = { from: 1, messages: 1, tokens: 10, counted: { estimate: 10, input: 3 * sent, sent } };
  expect(fitBudget(request, model, stateWith({ tokens: 2 * sent }, { context }))).toMatchObject({
    type: 'failed',
    code: 'limit-tokens',
  });
  const fitted = fitBudget(request, model, stateWith({ tokens: 4 * sent }, { context }));
  expect(fitted.type === 'fits' && fitted.request.maxOutputTokens).toBe(sent);
});

test('[P7][L5] a request that costs more than is left is not sent, and a reply gets what is left', () => {
  expect(fitBudget(request, model, stateWith({ cost: 0.000_01 }))).toEqual({
    type: 'failed',
    code: 'limit-cost',
    message:
      'The next model call was not sent: it needs at least $0.001670, and $0.000010 of $0.000010 are left. Raise the limit, or start a new session.',
    retryable: false,
  });
  const fitted = fitBudget(request, model, stateWith({ cost: cost(sent, 100) + 1e-9 }));
  expect(fitted.type === 'fits' && fitted.request.maxOutputTokens).toBe(100);
});

test('[P7][L5] a limit on cost with a model of unknown price sends nothing', () => {
  const unknown = { name: 'acme/new', cost: () => undefined } as Pick<Model, 'name' | 'cost'> as Model;
  expect(fitBudget(request, unknown, stateWith({ cost: 1 }))).toEqual({
    type: 'failed',
    code: 'limit-cost',
    message:
      'The price of acme/new is unknown, so the cost limit of $1.00 can\'t be enforced. Set its price under "models" in rondo.json, or remove the limit.',
    retryable: false,
  });
});

test('[P7][L4] a request is sent as long as one token of a reply is left, and not with none', () => {
  const fit = (tokens: number) => fitBudget(request, model, stateWith({ tokens }));
  expect(fit(sent + 1)).toEqual({ type: 'fits', sent, request: { ...request, maxOutputTokens: 1 } });
  expect(fit(sent)).toMatchObject({ type: 'failed', code: 'limit-tokens' });
});
