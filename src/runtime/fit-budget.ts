/**
 * The last check before a request is sent: counts everything in it, and sends it only if it and its reply fit into
 * the session's remaining tokens and money. The remainder becomes the reply's output limit.
 */
import { budgetLeft, mostReplyTokens } from '../kernel/budget.ts';
import { tokenRatio } from '../kernel/context.ts';
import type { Failed } from '../kernel/outcome.ts';
import type { State } from '../kernel/state.ts';
import type { Model, ModelRequest } from '../ports/model.ts';
import { requestTokens } from './request-tokens.ts';

type Fitted =
  | {
      readonly type: 'fits';
      readonly request: ModelRequest;
      /** Our estimate of the request, before the provider's counts correct it. */
      readonly sent: number;
    }
  | (Failed & { readonly retryable: false });

export function fitBudget(request: ModelRequest, model: Model, state: State): Fitted {
  const { tokens: tokenLimit, cost: costLimit } = state.limits;
  const sent = requestTokens(request);
  if (tokenLimit === undefined && costLimit === undefined) return { type: 'fits', request, sent };

  const left = budgetLeft(state);
  const input = Math.ceil(sent * tokenRatio(state.context));
  let room = request.maxOutputTokens ?? mostReplyTokens;
  if (tokenLimit !== undefined) {
    room = Math.min(room, (left.tokens ?? 0) - input);
    if (room < 1) return beyond('tokens', `about ${input} tokens`, `${left.tokens ?? 0} of ${tokenLimit} tokens`);
  }
  if (costLimit !== undefined && model.cost !== undefined) {
    const price = model.cost(input, 0);
    const perToken = price === undefined ? undefined : (model.cost(input, 1_000_000) ?? 0) - price;
    if (price === undefined || perToken === undefined) return unpriced(model.name, costLimit);
    const dollars = (left.cost ?? 0) - price;
    if (perToken > 0) room = Math.min(room, Math.floor((dollars / perToken) * 1_000_000));
    if (dollars < 0 || room < 1) {
      return beyond(
        'cost',
        `at least $${inWords(price)}`,
        `$${inWords(left.cost ?? 0)} of $${inWords(costLimit)}`,
      );
    }
  }
  return {
    type: 'fits',
    sent,
    request: { ...request, maxOutputTokens: room },
  };
}

function beyond(name: 'tokens' | 'cost', needs: string, left: string): Fitted {
  return {
    type: 'failed',
    code: `limit-${name}`,
    message: `The next model call was not sent: it needs ${needs}, and ${left} are left. Raise the limit, or start a new session.`,
    retryable: false,
  };
}

function unpriced(model: string, limit: number): Fitted {
  return {
    type: 'failed',
    code: 'limit-cost',
    message: `The price of ${model} is unknown, so the cost limit of $${inWords(limit)} can't be enforced. Set its price under "models" in rondo.json, or remove the limit.`,
    retryable: false,
  };
}

/** Formats small amounts without an exponent. */
function inWords(dollars: number): string {
  return dollars === 0 ? '0' : dollars.toFixed(dollars < 0.01 ? 6 : 2);
}
