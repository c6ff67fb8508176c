import type { AwsCredentials } from '../endpoint.ts';
import { keyedEndpoint, setting } from '../environment.ts';
import { createSdkModel, sdkSettings } from '../sdk-model.ts';
import type { Provider } from './provider.ts';
import type { Environment } from '../../ports/environment.ts';
import { optional } from '../../kernel/optional.ts';

const provider = 'amazon-bedrock';

export const amazonBedrock: Provider = {
  wire: {
    kind: provider,
    conventionName: 'aws.bedrock',
    apiVersion: 'v1',
    window: 200_000,
    create: (options) =>
      createSdkModel(options, {
        // Other families reject a cache point.
        ...(/anthropic\.|amazon\.nova/.test(options.model) && {
          cacheHint: { bedrock: { cachePoint: { type: 'default' } } },
        }),
        async load() {
          const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
          const { apiKey, aws } = options.endpoint;
          // An empty key prevents the SDK from reading the process's environment.
          return createAmazonBedrock({ ...aws, ...sdkSettings(options), apiKey: apiKey ?? '' })(options.model);
        },
      }),
    load: () => import('@ai-sdk/amazon-bedrock'),
  },
  endpoints(env) {
    const [apiKey, accessKeyId, secretAccessKey, sessionToken] = [
      'AWS_BEARER_TOKEN_BEDROCK',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
    ].map((name) => setting(env, name));
    const aws: AwsCredentials = {
      region: regionOf(env) ?? 'us-east-1',
      ...optional({ accessKeyId, secretAccessKey, sessionToken }),
    };
    const keyFrom = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK, in the environment';
    return [{ ...keyedEndpoint({ name: provider, type: provider, apiKey, keyFrom }), aws }];
  },
  keyed(env, endpoints) {
    const endpoint = endpoints.get(provider);
    const region = regionOf(env);
    const signs = endpoint?.aws?.accessKeyId !== undefined && endpoint.aws.secretAccessKey !== undefined;
    if (region === undefined || (!signs && endpoint?.apiKey === undefined)) return undefined;
    const why = `AWS credentials and the region ${region} are set`;
    return { id: `${provider}/${modelIn(region)}`, provider, why };
  },
};

function regionOf(env: Environment): string | undefined {
  return setting(env, 'AWS_REGION') ?? setting(env, 'AWS_DEFAULT_REGION');
}

/** Newer models need the inference profile of the region's geography. */
function modelIn(region: string): string {
  const area = /^(us|eu)-/.exec(region)?.[1] ?? (region.startsWith('ap-') ? 'apac' : 'global');
  return `${area}.anthropic.claude-sonnet-5-5`;
}
