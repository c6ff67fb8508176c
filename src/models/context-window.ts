import { isServedHere, type Endpoint, type ProviderKind } from './endpoint.ts';

/**
 * How many tokens a model's requests and replies may have together. What the configuration says counts; without it
 * the least that current models of its family have is assumed, so that a conversation is summed up rather too early
 * than refused. The family follows from the model's name, wherever it is asked: a proxy on this machine serves a
 * provider's models too. Any other model of a server on this machine is assumed to have been given little.
 */
export function contextWindow(endpoint: Endpoint, model: string, configured: number | undefined): number {
  const family = families.find(({ name }) => name.test(model))?.kind;
  if (configured !== undefined) return configured;
  if (family !== undefined) return assumedWindows[family];
  return isServedHere(endpoint) ? localWindow : assumedWindows[endpoint.type];
}

const localWindow = 32_768;

const families: readonly { readonly name: RegExp; readonly kind: ProviderKind }[] = [
  { name: /(^|[/.])claude-/, kind: 'anthropic' },
  { name: /(^|[/.])(gpt-(?!oss)|chatgpt-|codex-|o\d)/, kind: 'openai' },
  { name: /(^|[/.])gemini-/, kind: 'google' },
];

const assumedWindows: Readonly<Record<ProviderKind, number>> = {
  anthropic: 200_000,
  openai: 128_000,
  'openai-compatible': 128_000,
  google: 1_000_000,
  'amazon-bedrock': 200_000,
};
