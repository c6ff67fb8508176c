import type { BareModel } from '../bare-model.ts';
import { createSdkModel, type ProviderOptions } from '../sdk-model.ts';

export function createAnthropicModel(options: ProviderOptions): BareModel {
  const { endpoint, model, fetch } = options;
  return createSdkModel(options, {
    cacheHint: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    async load() {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      const { baseUrl, apiKey = '', headers } = endpoint;
      return createAnthropic({
        apiKey,
        ...(baseUrl !== undefined && { baseURL: baseUrl }),
        ...(headers !== undefined && { headers }),
        ...(fetch !== undefined && { fetch }),
      })(model);
    },
  });
}
