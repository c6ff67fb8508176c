/** A reply's token usage: the provider's figures, or our estimate, marked as such. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';

import { estimateTokens } from '../kernel/content.ts';
import type { Usage } from '../kernel/outcome.ts';
import type { ModelRequest } from '../ports/model.ts';
import { requestTokens } from '../runtime/request-tokens.ts';
import { costAt, type Price } from './prices.ts';

export interface ReplyText {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly args: string }[];
}

export function replyUsage(
  usage: LanguageModelV4Usage,
  request: ModelRequest,
  reply: ReplyText,
  price: Price | undefined,
): Usage {
  const { inputTokens: input, outputTokens: output } = usage;
  if (input.total === undefined || output.total === undefined) return estimatedUsage(request, reply, price);
  const counted = {
    inputTokens: input.total,
    outputTokens: output.total,
    ...(input.cacheRead !== undefined && input.cacheRead > 0 && { cachedTokens: input.cacheRead }),
    ...(output.reasoning !== undefined && output.reasoning > 0 && { reasoningTokens: output.reasoning }),
  };
  return priced(counted, price, input.cacheWrite ?? 0);
}

export function estimatedUsage(request: ModelRequest, reply: ReplyText, price: Price | undefined): Usage {
  const output =
    estimateTokens(reply.text) +
    estimateTokens(reply.reasoning) +
    sum(reply.calls.map(({ args }) => estimateTokens(args)));
  return priced({ inputTokens: requestTokens(request), outputTokens: output, estimated: true }, price, 0);
}

/** The sum for a reply that took two calls. The cost is known only if both are. */
export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...both('cachedTokens', one, other),
    ...both('reasoningTokens', one, other),
    ...(one.cost !== undefined && other.cost !== undefined && { cost: one.cost + other.cost }),
    ...((one.estimated === true || other.estimated === true) && { estimated: true }),
  };
}

function both<Key extends 'cachedTokens' | 'reasoningTokens'>(
  key: Key,
  one: Usage,
  other: Usage,
): { [K in Key]?: number } | undefined {
  if (one[key] === undefined && other[key] === undefined) return undefined;
  return { [key]: (one[key] ?? 0) + (other[key] ?? 0) } as { [K in Key]?: number };
}

function priced(usage: Usage, price: Price | undefined, cacheWriteTokens: number): Usage {
  const cost = price === undefined ? undefined : costAt(price, { ...usage, cacheWriteTokens });
  return cost === undefined ? usage : { ...usage, cost };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
