/**
 * Resolves a model reference: a configured alias (one model or a fallback list), `endpoint/model`, or a well-known
 * model's id. An unknown reference returns the nearest known name.
 */
import type { ConcurrencyOptions } from './concurrency.ts';
import { isLocalUrl, type Endpoint } from './endpoint.ts';
import { baseUrl } from './environment.ts';
import { providers, wireOf } from './providers/all-providers.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import type { ModelSettings } from './sdk-model.ts';
import { optional } from '../kernel/optional.ts';

export interface ModelsConfig {
  readonly endpoints?: Readonly<Record<string, EndpointConfig>>;
  readonly models?: Readonly<Record<string, AliasConfig>>;
}

export interface EndpointConfig {
  readonly type: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bedrock only. */
  readonly region?: string;
  /** Free and unlimited (default: decided by its address). */
  readonly local?: boolean;
  readonly limits?: Omit<ConcurrencyOptions, 'clock'>;
}

/** A string is a reference. */
export type AliasConfig = string | ModelConfig | readonly (string | ModelConfig)[];

interface ModelConfig extends ModelSettings {
  readonly endpoint: string;
  readonly model: string;
}

type Resolved =
  | ResolvedModel
  | { readonly type: 'list'; readonly models: readonly [ResolvedModel, ...ResolvedModel[]] }
  | UnknownModel;

export interface ResolvedModel {
  readonly type: 'model';
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly settings: ModelSettings;
}

export interface UnknownModel {
  readonly type: 'unknown';
  readonly reference: string;
  readonly message: string;
  readonly nearest?: string;
}

interface ModelChoices {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly models: Readonly<Record<string, AliasConfig>>;
  /** Additional names to suggest, such as `offline`. */
  readonly names?: readonly string[];
}

export function resolveModel(reference: string, choices: ModelChoices): Resolved {
  return resolve(reference, choices, new Set());
}

/** A configured endpoint replaces one from the environment with the same name and inherits its key. */
export function endpointsOf(
  config: ModelsConfig,
  environment: readonly Endpoint[],
): ReadonlyMap<string, Endpoint> {
  const choices = new Map(environment.map((endpoint) => [endpoint.name, endpoint]));
  for (const [name, { type, baseUrl: address, apiKey, headers, region, local }] of Object.entries(
    config.endpoints ?? {},
  )) {
    const usual = environment.find((endpoint) => endpoint.name === type && endpoint.type === type);
    const url = baseUrl(address, wireOf(type).apiVersion) ?? usual?.baseUrl;
    // A key from the environment belongs to its own provider and is never sent to another address.
    const key = apiKey ?? (address === undefined ? usual?.apiKey : undefined);
    const aws = usual?.aws === undefined ? undefined : { ...usual.aws, ...optional({ region }) };
    choices.set(name, {
      name,
      type,
      local: local ?? (url !== undefined && isLocalUrl(url)),
      keyFrom: `apiKey of the endpoint "${name}" in the configuration`,
      ...optional({ baseUrl: url, apiKey: key, headers, aws }),
    });
  }
  return choices;
}

function resolve(reference: string, choices: ModelChoices, seen: ReadonlySet<string>): Resolved {
  const alias = Object.hasOwn(choices.models, reference) ? choices.models[reference] : undefined;
  if (alias !== undefined) {
    if (seen.has(reference)) return unknown(reference, `The model "${reference}" refers to itself`, choices);
    return resolveAlias(reference, alias, choices, new Set([...seen, reference]));
  }
  const slash = reference.indexOf('/');
  const endpoint = choices.endpoints.get(
    slash === -1 ? (usualEndpoint(reference) ?? '') : reference.slice(0, slash),
  );
  const model = reference.slice(slash + 1);
  if (endpoint !== undefined && model !== '') return { type: 'model', endpoint, model, settings: {} };
  return unknown(reference, `Unknown model "${reference}"`, choices);
}

function resolveAlias(
  name: string,
  alias: AliasConfig,
  choices: ModelChoices,
  seen: ReadonlySet<string>,
): Resolved {
  if (typeof alias === 'string') return resolve(alias, choices, seen);
  if (!isList(alias)) {
    const { endpoint: at, model, ...settings } = alias;
    const endpoint = choices.endpoints.get(at);
    if (endpoint === undefined)
      return unknown(at, `The model "${name}" names the endpoint "${at}", which doesn't exist`, choices);
    return { type: 'model', endpoint, model, settings };
  }
  const models: ResolvedModel[] = [];
  for (const part of alias) {
    const resolved = resolveAlias(name, part, choices, seen);
    if (resolved.type === 'unknown') return resolved;
    models.push(...(resolved.type === 'list' ? resolved.models : [resolved]));
  }
  const [first, ...rest] = models;
  return first === undefined
    ? unknown(name, `The list of models "${name}" is empty`, choices)
    : { type: 'list', models: [first, ...rest] };
}

function isList(alias: Exclude<AliasConfig, string>): alias is readonly (string | ModelConfig)[] {
  return Array.isArray(alias);
}

function usualEndpoint(model: string): string | undefined {
  return providers.find(({ bareNames }) => bareNames?.test(model) === true)?.wire?.kind;
}

function unknown(
  reference: string,
  message: string,
  { endpoints, models, names = [] }: ModelChoices,
): UnknownModel {
  const slash = reference.indexOf('/');
  const prefix = slash === -1 ? undefined : nearestName(reference.slice(0, slash), [...endpoints.keys()]);
  const others = [...Object.keys(models), ...names, ...endpoints.keys()].filter((name) => name !== reference);
  const nearest = prefix === undefined ? nearestName(reference, others) : `${prefix}${reference.slice(slash)}`;
  const hint =
    nearest === undefined
      ? 'Write it as endpoint/model, for example anthropic/claude-sonnet-5-5.'
      : `Did you mean "${nearest}"?`;
  return {
    type: 'unknown',
    reference,
    message: `${message}. ${hint} \`rondo models\` lists available models.`,
    ...optional({ nearest }),
  };
}
