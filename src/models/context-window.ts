import { isServedHere, type Endpoint, type ProviderKind } from './endpoint.ts';

/**
 * A model's context window in tokens. The configuration wins. Without it, this assumes the smallest window among
 * current models of the family, so that Rondo summarizes too early rather than fails. The family follows from the
 * model's name, even behind a local proxy. Any other model of a local server is assumed to have a small window.
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
