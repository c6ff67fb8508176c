/**
 * Models available without configuration, best first, with the reason: keys in the environment, then a local server
 * that answers, then the offline model.
 */
import type { Endpoint } from './endpoint.ts';
import { providers } from './providers/all-providers.ts';
import type { Endpoints, FoundModel } from './providers/provider.ts';
import type { Environment } from '../ports/environment.ts';

interface DetectOptions {
  readonly env: Environment;
  readonly fetch?: typeof globalThis.fetch;
  /** Timeout for a server to list its models. */
  readonly probeMs?: number;
}

/** All endpoints, with or without a key. */
export function endpointsFromEnvironment(env: Environment): readonly Endpoint[] {
  return providers.flatMap((provider) => provider.endpoints(env));
}

export async function detectModels({
  env,
  fetch = globalThis.fetch,
  probeMs,
}: DetectOptions): Promise<readonly FoundModel[]> {
  const endpoints = endpointsByName(env);
  const probes = providers.flatMap((provider) => provider.probe?.(env, endpoints, { fetch, probeMs }) ?? []);
  const models = [...keyedModels(env, endpoints), ...(await Promise.all(probes)).flat()];
  const why = models.length > 0 ? 'always available' : nothingFound(endpoints);
  return [...models, { id: 'offline', provider: 'offline', why: `${why}; not a language model` }];
}

/** The best model. Probes no server if the environment decides. */
export async function detectBestModel(options: DetectOptions): Promise<FoundModel | undefined> {
  return keyedModels(options.env, endpointsByName(options.env))[0] ?? (await detectModels(options))[0];
}

function endpointsByName(env: Environment): Endpoints {
  return new Map(endpointsFromEnvironment(env).map((endpoint) => [endpoint.name, endpoint]));
}

function keyedModels(env: Environment, endpoints: Endpoints): readonly FoundModel[] {
  return providers.flatMap((provider) => provider.keyed?.(env, endpoints) ?? []);
}

function nothingFound(endpoints: Endpoints): string {
  const address = endpoints.get('openai-compatible')?.baseUrl;
  return address === undefined
    ? 'no key in the environment, and no server answers'
    : `nothing answers at OPENAI_BASE_URL, ${new URL(address).origin}`;
}
