import { baseUrl, keyedEndpoint, setting } from '../environment.ts';
import { createSdkModel, sdkSettings } from '../sdk-model.ts';
import type { Provider } from './provider.ts';

const keys = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] as const;

export const google: Provider = {
  wire: {
    kind: 'google',
    conventionName: 'gcp.gemini',
    apiVersion: 'v1beta',
    window: 1_000_000,
    create: (options) =>
      createSdkModel(options, {
        async load() {
          const { createGoogle } = await import('@ai-sdk/google');
          return createGoogle({ ...sdkSettings(options), apiKey: options.endpoint.apiKey ?? '' })(options.model);
        },
      }),
    load: () => import('@ai-sdk/google'),
  },
  bareNames: /^gemini-/,
  family: /(^|[/.])gemini-/,
  endpoints: (env) => [
    keyedEndpoint({
      name: 'google',
      type: 'google',
      baseUrl:
        baseUrl(setting(env, 'GOOGLE_GEMINI_BASE_URL'), 'v1beta') ??
        'https://generativelanguage.googleapis.com/v1beta',
      apiKey: keys.map((name) => setting(env, name)).find((key) => key !== undefined),
      keyFrom: 'GEMINI_API_KEY in the environment',
    }),
  ],
  keyed(env) {
    const key = keys.find((name) => setting(env, name) !== undefined);
    if (key === undefined) return undefined;
    const model = setting(env, 'GEMINI_MODEL') ?? 'gemini-3.8-flash';
    return { id: `google/${model}`, provider: 'google', why: `${key} is set` };
  },
};
