import type { BareModel } from '../bare-model.ts';
import type { ProviderOptions } from '../sdk-model.ts';
import { createBedrockModel } from './amazon-bedrock.ts';
import { createAnthropicModel } from './anthropic.ts';
import { createGoogleModel } from './google.ts';
import { createOpenAICompatibleModel } from './openai-compatible.ts';
import { createOpenAIModel } from './openai.ts';

/** A model as its provider serves it, with nothing around it. */
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
