import type { BareModel } from '../bare-model.ts';
import { createSdkModel, type ProviderOptions } from '../sdk-model.ts';

export function createBedrockModel(options: ProviderOptions): BareModel {
  const { endpoint, model, fetch } = options;
  return createSdkModel(options, {
    // Other families reject a cache point.
    ...(/anthropic\.|amazon\.nova/.test(model) && { cacheHint: { bedrock: { cachePoint: { type: 'default' } } } }),
    async load() {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      const { baseUrl, apiKey, headers, aws } = endpoint;
      return createAmazonBedrock({
        ...aws,
        // Prevents the SDK from reading the process's environment.
        apiKey: apiKey ?? '',
        ...(baseUrl !== undefined && { baseURL: baseUrl }),
        ...(headers !== undefined && { headers }),
        ...(fetch !== undefined && { fetch }),
      })(model);
    },
  });
}
