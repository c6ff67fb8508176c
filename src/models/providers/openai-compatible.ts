import { optional } from '../../kernel/optional.ts';
import { keyedEndpoint, openaiAddress, setting } from '../environment.ts';
import { listedNames } from '../listed-names.ts';
import { createSdkModel, sdkSettings } from '../sdk-model.ts';
import type { FoundModel, Provider } from './provider.ts';

const provider = 'openai-compatible';

/** Any server with OpenAI's chat completions API: Ollama, llama.cpp, vLLM, LM Studio, OpenRouter. */
export const openaiCompatible: Provider = {
  wire: {
    kind: provider,
    apiVersion: 'v1',
    window: 128_000,
    create: (options) =>
      createSdkModel(options, {
        async load() {
          const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
          const { name, baseUrl = '', apiKey } = options.endpoint;
          return createOpenAICompatible({
            ...sdkSettings(options),
            name,
            baseURL: baseUrl,
            includeUsage: true,
            ...optional({ apiKey }),
          })(options.model);
        },
      }),
    load: () => import('@ai-sdk/openai-compatible'),
  },
  /** With OPENAI_BASE_URL set, the name `openai` refers to that server too. */
  endpoints(env) {
    const { url, isOwn } = openaiAddress(env);
    if (isOwn) return [];
    const apiKey = setting(env, 'OPENAI_API_KEY');
    const server = { type: provider, baseUrl: url, apiKey, keyFrom: 'OPENAI_API_KEY in the environment' } as const;
    return [keyedEndpoint({ name: 'openai', ...server }), keyedEndpoint({ name: provider, ...server })];
  },
  keyed(env, endpoints): FoundModel | undefined {
    const named = setting(env, 'OPENAI_MODEL');
    const address = endpoints.get(provider)?.baseUrl;
    if (address === undefined || named === undefined) return undefined;
    const why = `OPENAI_BASE_URL is ${new URL(address).origin}, OPENAI_MODEL names it`;
    return { id: `${provider}/${named}`, provider, why };
  },
  async probe(env, endpoints, { fetch, probeMs = 3000 }) {
    const endpoint = endpoints.get(provider);
    if (endpoint?.baseUrl === undefined || setting(env, 'OPENAI_MODEL') !== undefined) return [];
    const headers = endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` };
    const request = { list: 'data', key: 'id', fetch, probeMs, headers };
    const why = `served at OPENAI_BASE_URL, ${new URL(endpoint.baseUrl).origin}`;
    const names = await listedNames(`${endpoint.baseUrl}/models`, request);
    return names.map((id) => ({ id: `${provider}/${id}`, provider, why }));
  },
};
