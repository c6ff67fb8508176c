import type { Endpoint, ProviderKind } from './endpoint.ts';

/**
 * How many tokens a model's requests and replies may have together. What the configuration says counts;
 * without it the least that current models of the provider have is assumed, so that a conversation is
 * summed up rather too early than refused. A server on this machine is assumed to have been given little.
 */
export function contextWindow({ type, local }: Endpoint, configured: number | undefined): number {
  return configured ?? (local ? localWindow : assumedWindows[type]);
}

const localWindow = 32_768;

const assumedWindows: Readonly<Record<ProviderKind, number>> = {
  anthropic: 200_000,
  openai: 128_000,
  'openai-compatible': 128_000,
  google: 1_000_000,
  'amazon-bedrock': 200_000,
};
