import type { BareModel } from '../bare-model.ts';
import { createSdkModel, type ProviderOptions } from '../sdk-model.ts';

/** OpenAI's own API, through Responses: newer models take tools nowhere else. */
export function createOpenAIModel(options: ProviderOptions): BareModel {
  const { endpoint, model, fetch } = options;
  return createSdkModel(options, {
    // The journal keeps the conversation; the provider need not.
    options: ({ session }) => ({ openai: { store: false, promptCacheKey: session } }),
    async load() {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const { baseUrl, apiKey = '', headers } = endpoint;
      return createOpenAI({
        apiKey,
        ...(baseUrl !== undefined && { baseURL: baseUrl }),
        ...(headers !== undefined && { headers }),
        ...(fetch !== undefined && { fetch }),
      }).responses(model);
    },
  });
}
