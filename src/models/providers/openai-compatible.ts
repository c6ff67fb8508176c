import type { BareModel } from '../bare-model.ts';
import { createSdkModel, type ProviderOptions } from '../sdk-model.ts';

/** Any server with OpenAI's chat completions API: Ollama, llama.cpp, vLLM, LM Studio, OpenRouter. */
export function createOpenAICompatibleModel(options: ProviderOptions): BareModel {
  const { endpoint, model, fetch } = options;
  return createSdkModel(options, {
    async load() {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const { name, baseUrl = '', apiKey, headers } = endpoint;
      return createOpenAICompatible({
        name,
        baseURL: baseUrl,
        includeUsage: true,
        ...(apiKey !== undefined && { apiKey }),
        ...(headers !== undefined && { headers }),
        ...(fetch !== undefined && { fetch }),
      })(model);
    },
  });
}
