import type { BareModel } from '../bare-model.ts';
import { createSdkModel, type ProviderOptions } from '../sdk-model.ts';

/** OpenAI's Responses API: newer models support tools only there. */
export function createOpenAIModel(options: ProviderOptions): BareModel {
  const { endpoint, model, fetch } = options;
  return createSdkModel(options, {
    // The journal stores the conversation, so the provider doesn't have to.
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
