import type { BareModel } from '../bare-model.ts';
import { createSdkModel, type ProviderOptions } from '../sdk-model.ts';

export function createGoogleModel(options: ProviderOptions): BareModel {
  const { endpoint, model, fetch } = options;
  return createSdkModel(options, {
    async load() {
      const { createGoogle } = await import('@ai-sdk/google');
      const { baseUrl, apiKey = '', headers } = endpoint;
      return createGoogle({
        apiKey,
        ...(baseUrl !== undefined && { baseURL: baseUrl }),
        ...(headers !== undefined && { headers }),
        ...(fetch !== undefined && { fetch }),
      })(model);
    },
  });
}
