import { baseUrl, keyedEndpoint, setting } from '../environment.ts';
import { createSdkModel, sdkSettings } from '../sdk-model.ts';
import type { Provider } from './provider.ts';

export const anthropic: Provider = {
  wire: {
    kind: 'anthropic',
    apiVersion: 'v1',
    window: 200_000,
    create: (options) =>
      createSdkModel(options, {
        cacheHint: { anthropic: { cacheControl: { type: 'ephemeral' } } },
        async load() {
          const { createAnthropic } = await import('@ai-sdk/anthropic');
          return createAnthropic({ ...sdkSettings(options), apiKey: options.endpoint.apiKey ?? '' })(
            options.model,
          );
        },
      }),
    load: () => import('@ai-sdk/anthropic'),
  },
  bareNames: /^claude-/,
  family: /(^|[/.])claude-/,
  endpoints: (env) => [
    keyedEndpoint({
      name: 'anthropic',
      type: 'anthropic',
      baseUrl: baseUrl(setting(env, 'ANTHROPIC_BASE_URL'), 'v1') ?? 'https://api.anthropic.com/v1',
      apiKey: setting(env, 'ANTHROPIC_API_KEY'),
      keyFrom: 'ANTHROPIC_API_KEY in the environment',
    }),
  ],
  keyed(env) {
    if (setting(env, 'ANTHROPIC_API_KEY') === undefined) return undefined;
    const model = setting(env, 'ANTHROPIC_MODEL') ?? 'claude-sonnet-5-5';
    return { id: `anthropic/${model}`, provider: 'anthropic', why: 'ANTHROPIC_API_KEY is set' };
  },
};
