/**
 * Models available without configuration, best first, with the reason: keys in the environment, then a local server
 * that answers, then the offline model.
 */
import type { Endpoint } from './endpoint.ts';
import { endpointsFromEnvironment, googleKeys, ollamaUrl, setting, type Environment } from './environment.ts';

export interface FoundModel {
  /** A reference that the pool resolves. */
  readonly id: string;
  readonly provider: string;
  readonly why: string;
}

export interface DetectOptions {
  readonly env: Environment;
  readonly fetch?: typeof globalThis.fetch;
  /** Timeout for a server to list its models. */
  readonly probeMs?: number;
}

/** The model to use if only the provider is known. */
const defaultModel = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-sol',
  google: 'gemini-3.8-flash',
  bedrock: 'anthropic.claude-sonnet-5-5',
} as const;

const compatible = 'openai-compatible';

export async function detectModels({ env, ...options }: DetectOptions): Promise<readonly FoundModel[]> {
  const endpoints = knownEndpoints(env);
  const isOllamaNamed = setting(env, 'OLLAMA_HOST') !== undefined;
  const [served, ollama] = await Promise.all([
    compatibleModels(endpoints.get(compatible), env, probeFrom(options, true)),
    ollamaModels(ollamaUrl(env), isOllamaNamed, probeFrom(options, isOllamaNamed)),
  ]);
  const found = [...keyedModels(endpoints, env), ...served, ...ollama];
  const why =
    found.length > 0
      ? 'always available; not a language model'
      : `${nothingFound(endpoints.get(compatible))}; not a language model`;
  return [...found, { id: 'offline', provider: 'offline', why }];
}

/** The best model. Probes no server if the environment decides. */
export async function detectBestModel(options: DetectOptions): Promise<FoundModel | undefined> {
  const { env } = options;
  const endpoints = knownEndpoints(env);
  const told = keyedModels(endpoints, env)[0] ?? namedModel(endpoints.get(compatible), env);
  return told ?? (await detectModels(options))[0];
}

function knownEndpoints(env: Environment): ReadonlyMap<string, Endpoint> {
  return new Map(endpointsFromEnvironment(env).map((endpoint) => [endpoint.name, endpoint]));
}

/** Waits for a server that the user named, and only briefly for one that may not exist. */
function probeFrom({ fetch = globalThis.fetch, probeMs }: Omit<DetectOptions, 'env'>, isNamed: boolean): Probe {
  return { fetch, probeMs: probeMs ?? (isNamed ? 3000 : 300) };
}

function nothingFound(endpoint: Endpoint | undefined): string {
  return endpoint?.baseUrl === undefined
    ? 'no key in the environment, and no server answers'
    : `nothing answers at OPENAI_BASE_URL, ${new URL(endpoint.baseUrl).origin}`;
}

function keyedModels(endpoints: ReadonlyMap<string, Endpoint>, env: Environment): readonly FoundModel[] {
  const found: FoundModel[] = [];
  const add = (provider: string, model: string, why: string) =>
    found.push({ id: `${provider}/${model}`, provider, why });
  if (setting(env, 'ANTHROPIC_API_KEY') !== undefined) {
    add('anthropic', setting(env, 'ANTHROPIC_MODEL') ?? defaultModel.anthropic, 'ANTHROPIC_API_KEY is set');
  }
  if (setting(env, 'OPENAI_API_KEY') !== undefined && endpoints.get('openai')?.type === 'openai') {
    add('openai', setting(env, 'OPENAI_MODEL') ?? defaultModel.openai, 'OPENAI_API_KEY is set');
  }
  const googleKey = googleKeys.find((name) => setting(env, name) !== undefined);
  if (googleKey !== undefined)
    add('google', setting(env, 'GEMINI_MODEL') ?? defaultModel.google, `${googleKey} is set`);
  const aws = endpoints.get('amazon-bedrock');
  const region = setting(env, 'AWS_REGION') ?? setting(env, 'AWS_DEFAULT_REGION');
  const signs = aws?.aws?.accessKeyId !== undefined && aws.aws.secretAccessKey !== undefined;
  if (aws !== undefined && region !== undefined && (signs || aws.apiKey !== undefined)) {
    add('amazon-bedrock', bedrockModel(region), `AWS credentials and the region ${region} are set`);
  }
  return found;
}

/** Newer models need the inference profile of the region's geography. */
function bedrockModel(region: string): string {
  const area = /^(us|eu)-/.exec(region)?.[1] ?? (region.startsWith('ap-') ? 'apac' : 'global');
  return `${area}.${defaultModel.bedrock}`;
}

interface Probe {
  readonly fetch: typeof globalThis.fetch;
  readonly probeMs: number;
}

async function compatibleModels(
  endpoint: Endpoint | undefined,
  env: Environment,
  probe: Probe,
): Promise<readonly FoundModel[]> {
  if (endpoint?.baseUrl === undefined) return [];
  const named = namedModel(endpoint, env);
  if (named !== undefined) return [named];
  const provider = compatible;
  const address = new URL(endpoint.baseUrl).origin;
  const authorization = endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` };
  const list = await names(`${endpoint.baseUrl}/models`, 'data', 'id', { ...probe, headers: authorization });
  return list.map((id) => ({ id: `${provider}/${id}`, provider, why: `served at OPENAI_BASE_URL, ${address}` }));
}

function namedModel(endpoint: Endpoint | undefined, env: Environment): FoundModel | undefined {
  const named = setting(env, 'OPENAI_MODEL');
  if (endpoint?.baseUrl === undefined || named === undefined) return undefined;
  const address = new URL(endpoint.baseUrl).origin;
  const why = `OPENAI_BASE_URL is ${address}, OPENAI_MODEL names it`;
  return { id: `${compatible}/${named}`, provider: compatible, why };
}

async function ollamaModels(url: string, isNamed: boolean, probe: Probe): Promise<readonly FoundModel[]> {
  const list = await names(`${url}/api/tags`, 'models', 'name', { ...probe, headers: {} });
  const why = isNamed ? `Ollama answers at OLLAMA_HOST, ${url}` : `Ollama answers at ${url}`;
  return list.map((name) => ({ id: `ollama/${name}`, provider: 'ollama', why }));
}

/** Model names from a server's list. A missing server means an empty list, not an error. */
async function names(
  url: string,
  list: string,
  key: string,
  { fetch, probeMs, headers }: Probe & { readonly headers: Readonly<Record<string, string>> },
): Promise<readonly string[]> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(probeMs) });
    if (!response.ok) {
      await response.body?.cancel();
      return [];
    }
    const body = (await response.json()) as Readonly<Record<string, unknown>> | null;
    const entries: unknown = body?.[list];
    if (!Array.isArray(entries)) return [];
    return entries
      .map((entry: Readonly<Record<string, unknown>> | null) => entry?.[key])
      .filter((name) => typeof name === 'string');
  } catch {
    return [];
  }
}
