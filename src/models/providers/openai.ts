import { keyedEndpoint, openaiAddress, setting } from '../environment.ts';
import { createSdkModel, sdkSettings } from '../sdk-model.ts';
import type { Provider } from './provider.ts';

/** OpenAI's Responses API: newer models support tools only there. */
export const openai: Provider = {
  wire: {
    kind: 'openai',
    apiVersion: 'v1',
    window: 128_000,
    create: (options) =>
      createSdkModel(options, {
        // The journal stores the conversation, so the provider doesn't have to.
        options: ({ session }) => ({ openai: { store: false, promptCacheKey: session } }),
        async load() {
          const { createOpenAI } = await import('@ai-sdk/openai');
          const settings = { ...sdkSettings(options), apiKey: options.endpoint.apiKey ?? '' };
          return createOpenAI(settings).responses(options.model);
        },
      }),
    load: () => import('@ai-sdk/openai'),
  },
  bareNames: /^(gpt-|o\d|chatgpt-|codex-)/,
  family: /(^|[/.])(gpt-(?!oss)|chatgpt-|codex-|o\d)/,
  endpoints(env) {
    const { url, isOwn } = openaiAddress(env);
    if (!isOwn) return [];
    const apiKey = setting(env, 'OPENAI_API_KEY');
    const keyFrom = 'OPENAI_API_KEY in the environment';
    return [keyedEndpoint({ name: 'openai', type: 'openai', baseUrl: url, apiKey, keyFrom })];
  },
  keyed(env) {
    if (setting(env, 'OPENAI_API_KEY') === undefined || !openaiAddress(env).isOwn) return undefined;
    const model = setting(env, 'OPENAI_MODEL') ?? 'gpt-6.1-sol';
    return { id: `openai/${model}`, provider: 'openai', why: 'OPENAI_API_KEY is set' };
  },
};
