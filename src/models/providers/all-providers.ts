/** The providers in order of preference. */
import type { BareModel } from '../bare-model.ts';
import type { ProviderOptions } from '../sdk-model.ts';
import { amazonBedrock } from './amazon-bedrock.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { ollama } from './ollama.ts';
import { openaiCompatible } from './openai-compatible.ts';
import { openai } from './openai.ts';
import type { Provider, Wire } from './provider.ts';

export const providers: readonly Provider[] = [anthropic, openai, google, amazonBedrock, openaiCompatible, ollama];

export function wireOf(kind: string): Wire {
  const match = providers.find(({ wire }) => wire?.kind === kind)?.wire;
  if (match === undefined) throw new Error(`Unknown provider type "${kind}".`);
  return match;
}

/** A model as its provider serves it, without wrappers. */
export function createProviderModel(options: ProviderOptions): BareModel {
  return wireOf(options.endpoint.type).create(options);
}

/** Preloads what the first call needs. */
export async function loadProvider(kind: string): Promise<void> {
  // Node loads its fetch implementation with the first of its classes.
  void new Headers();
  await wireOf(kind).load();
}
