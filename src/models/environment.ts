/** Endpoints that need no configuration, from environment variables. */
import { isLocalUrl, type AwsCredentials, type Endpoint } from './endpoint.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const defaultUrl = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434',
} as const;

export const googleKeys = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] as const;

/** All endpoints, with or without a key. A call without a key fails and names the variable. */
export function endpointsFromEnvironment(env: Environment): readonly Endpoint[] {
  const google = googleKeys.map((name) => setting(env, name)).find((key) => key !== undefined);
  return [
    keyed({
      name: 'anthropic',
      type: 'anthropic',
      baseUrl: baseUrl(setting(env, 'ANTHROPIC_BASE_URL'), 'v1') ?? defaultUrl.anthropic,
      apiKey: setting(env, 'ANTHROPIC_API_KEY'),
      keyFrom: 'ANTHROPIC_API_KEY in the environment',
    }),
    ...openaiEndpoints(env),
    keyed({
      name: 'google',
      type: 'google',
      baseUrl: baseUrl(setting(env, 'GOOGLE_GEMINI_BASE_URL'), 'v1beta') ?? defaultUrl.google,
      apiKey: google,
      keyFrom: 'GEMINI_API_KEY in the environment',
    }),
    bedrock(env),
    {
      name: 'ollama',
      type: 'openai-compatible',
      baseUrl: `${ollamaUrl(env)}/v1`,
      local: true,
      keyFrom: 'Ollama needs none',
    },
  ];
}

/** The Ollama address. OLLAMA_HOST may lack a scheme and a port, and may be a listen address. */
export function ollamaUrl(env: Environment): string {
  const host = setting(env, 'OLLAMA_HOST');
  if (host === undefined) return defaultUrl.ollama;
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `http://${host}`);
  if (url === null) return defaultUrl.ollama;
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !/^https?:\/\//.test(host)) url.port = '11434';
  return url.href.replace(/\/+$/, '');
}

export function setting(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** Removes a trailing slash and adds the API version if the address has no path. */
export function baseUrl(address: string | undefined, version: string): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return undefined;
  return `${url.origin}${url.pathname === '/' ? `/${version}` : url.pathname.replace(/\/+$/, '')}`;
}

/** With OPENAI_BASE_URL set, the names refer to that server, which needs to support only chat completions. */
function openaiEndpoints(env: Environment): readonly Endpoint[] {
  const address = baseUrl(setting(env, 'OPENAI_BASE_URL'), 'v1');
  const apiKey = setting(env, 'OPENAI_API_KEY');
  const keyFrom = 'OPENAI_API_KEY in the environment';
  if (address === undefined || new URL(address).hostname === 'api.openai.com') {
    return [keyed({ name: 'openai', type: 'openai', baseUrl: address ?? defaultUrl.openai, apiKey, keyFrom })];
  }
  const server = { type: 'openai-compatible' as const, baseUrl: address, apiKey, keyFrom };
  return [keyed({ name: 'openai', ...server }), keyed({ name: 'openai-compatible', ...server })];
}

function bedrock(env: Environment): Endpoint {
  const [apiKey, accessKeyId, secretAccessKey, sessionToken] = [
    'AWS_BEARER_TOKEN_BEDROCK',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ].map((name) => setting(env, name));
  const aws: AwsCredentials = {
    region: setting(env, 'AWS_REGION') ?? setting(env, 'AWS_DEFAULT_REGION') ?? 'us-east-1',
    ...(accessKeyId !== undefined && { accessKeyId }),
    ...(secretAccessKey !== undefined && { secretAccessKey }),
    ...(sessionToken !== undefined && { sessionToken }),
  };
  const keyFrom = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_BEARER_TOKEN_BEDROCK, in the environment';
  return { ...keyed({ name: 'amazon-bedrock', type: 'amazon-bedrock', apiKey, keyFrom }), aws };
}

function keyed({
  apiKey,
  ...rest
}: Omit<Endpoint, 'local' | 'apiKey'> & { readonly apiKey: string | undefined }): Endpoint {
  const local = rest.baseUrl !== undefined && isLocalUrl(rest.baseUrl);
  return { ...rest, local, ...(apiKey !== undefined && { apiKey }) };
}
