import type { BareModel } from '../bare-model.ts';
import type { ProviderKind } from '../endpoint.ts';
import type { ProviderOptions } from '../sdk-model.ts';
import { createBedrockModel } from './amazon-bedrock.ts';
import { createAnthropicModel } from './anthropic.ts';
import { createGoogleModel } from './google.ts';
import { createOpenAICompatibleModel } from './openai-compatible.ts';
import { createOpenAIModel } from './openai.ts';

/** A model as its provider serves it, without wrappers. */
export function createProviderModel(options: ProviderOptions): BareModel {
  switch (options.endpoint.type) {
    case 'anthropic':
      return createAnthropicModel(options);
    case 'openai':
      return createOpenAIModel(options);
    case 'openai-compatible':
      return createOpenAICompatibleModel(options);
    case 'google':
      return createGoogleModel(options);
    case 'amazon-bedrock':
      return createBedrockModel(options);
  }
}

/** Preloads what the first call needs. */
export async function loadProvider(kind: ProviderKind): Promise<void> {
  // Node loads its fetch implementation with the first of its classes.
  void new Headers();
  switch (kind) {
    case 'anthropic':
      return void (await import('@ai-sdk/anthropic'));
    case 'openai':
      return void (await import('@ai-sdk/openai'));
    case 'openai-compatible':
      return void (await import('@ai-sdk/openai-compatible'));
    case 'google':
      return void (await import('@ai-sdk/google'));
    case 'amazon-bedrock':
      return void (await import('@ai-sdk/amazon-bedrock'));
  }
}
