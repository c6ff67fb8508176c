/**
 * The models of one process. All sessions share its connections, limits, budgets and breakers, one set per
 * endpoint. It loads and probes nothing before the first call.
 *
 * Order of wrappers, from the outside: fallback list, retry, slots, breaker, stall guard, provider. A pause between
 * retries holds no slot, and a call that finds the breaker open releases its slot at once.
 */
import { optional } from '../kernel/optional.ts';
import type { Clock } from '../ports/clock.ts';
import type { Model } from '../ports/model.ts';
import { createBreaker, withBreaker, type Breaker } from './breaker.ts';
import { createPlaces, withPlaces, type Places } from './concurrency.ts';
import { contextWindow } from './context-window.ts';
import { conventionName } from './convention-name.ts';
import { detectBestModel, detectModels, endpointsFromEnvironment } from './detect.ts';
import { isServedHere, type Endpoint } from './endpoint.ts';
import { missingKey } from './errors.ts';
import { createFallbackList } from './fallback-list.ts';
import { highestCost, noPrice, priceOf, type Price } from './prices.ts';
import { createProviderModel, loadProvider, wireOf } from './providers/all-providers.ts';
import type { FoundModel } from './providers/provider.ts';
import { endpointsOf, resolveModel, type ModelsConfig, type ResolvedModel, type UnknownModel } from './resolve.ts';
import { withRetry } from './retry.ts';
import { withStallGuard } from './stall.ts';
import type { Environment } from '../ports/environment.ts';

export interface PoolOptions {
  readonly env: Environment;
  readonly config?: ModelsConfig;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  /** Models without a provider: `scripted:FILE` passes the file to `scripted`, `offline` passes nothing. */
  readonly schemes?: Readonly<Record<string, (rest: string) => Model>>;
  readonly stall?: { readonly silenceMs?: number; readonly wholeMs?: number };
}

export interface ModelPool {
  get(reference: string): Model | UnknownModel;
  /** Which key a call needs and nobody set; for a list, if all its models need one. Undefined if it can be called. */
  keyProblem(reference: string): string | undefined;
  /** Loads what the model's first call needs. */
  prepare(reference: string): Promise<void>;
  /** The price of a call; for a list, of its first model. Undefined if unknown. */
  priceOf(reference: string): Price | undefined;
  /** Models available without configuration, best first. */
  detect(): Promise<readonly FoundModel[]>;
  /** The first result of `detect`, with as few probes as possible. */
  detectBest(): Promise<FoundModel | undefined>;
}

const remotePlaces = 5;

export function createModelPool(options: PoolOptions): ModelPool {
  const { env, config = {}, clock, schemes = {}, fetch } = options;
  const endpoints = endpointsOf(config, endpointsFromEnvironment(env));
  const catalog = { endpoints, models: config.models ?? {}, names: Object.keys(schemes) };
  const models = new Map<string, Model>();
  const shared = new Map<string, { readonly places: Places; readonly breaker: Breaker }>();

  const sharedAt = ({ name, local }: Endpoint) => {
    const entry = shared.get(name);
    if (entry !== undefined) return entry;
    const limits = { ...(!local && { concurrent: remotePlaces }), ...config.endpoints?.[name]?.limits };
    const made = { places: createPlaces({ clock, ...limits }), breaker: createBreaker(clock) };
    shared.set(name, made);
    return made;
  };

  const priceFor = ({ endpoint, model, settings }: ResolvedModel): Price | undefined =>
    settings.price ?? priceOf(model, clock.now()) ?? (isServedHere(endpoint) ? noPrice : undefined);

  const build = (resolved: ResolvedModel): Model => {
    const { endpoint, model, settings } = resolved;
    const { places, breaker } = sharedAt(endpoint);
    const price = priceFor(resolved);
    const bare = createProviderModel({
      endpoint,
      model,
      settings: { ...settings, ...optional({ price }) },
      now: () => clock.now(),
      ...optional({ fetch }),
    });
    const guarded = withStallGuard(bare, {
      clock,
      ...options.stall,
      ...(settings.streaming === false && { streaming: false }),
    });
    const served = withRetry(withPlaces(withBreaker(guarded, breaker, clock), places), { clock });
    return {
      ...served,
      provider: conventionName(endpoint, wireOf(endpoint.type).conventionName),
      contextTokens: contextWindow(endpoint, model, settings.contextTokens),
      cost: (inputTokens, outputTokens) =>
        price === undefined ? undefined : highestCost(price, inputTokens, outputTokens),
    };
  };

  const make = (reference: string): Model | UnknownModel => {
    const [scheme = '', ...rest] = reference.split(':');
    const factory = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
    if (factory !== undefined) return factory(rest.join(':'));
    const resolved = resolveModel(reference, catalog);
    if (resolved.type === 'unknown') return resolved;
    if (resolved.type === 'model') return build(resolved);
    const [first, ...others] = resolved.models;
    return createFallbackList([build(first), ...others.map(build)]);
  };

  return {
    get(reference) {
      const model = models.get(reference);
      if (model !== undefined) return model;
      const made = make(reference);
      if (!('type' in made)) models.set(reference, made);
      return made;
    },
    priceOf(reference) {
      if (Object.hasOwn(schemes, reference.split(':')[0] ?? '')) return noPrice;
      const resolved = resolveModel(reference, catalog);
      const first = resolved.type === 'list' ? resolved.models[0] : resolved;
      return first.type === 'model' ? priceFor(first) : undefined;
    },
    keyProblem(reference) {
      if (Object.hasOwn(schemes, reference.split(':')[0] ?? '')) return undefined;
      const resolved = resolveModel(reference, catalog);
      if (resolved.type === 'unknown') return undefined;
      const models = resolved.type === 'list' ? resolved.models : [resolved];
      const problems = models.map(({ endpoint }) => missingKey({ model: reference, endpoint })?.message);
      return problems.includes(undefined) ? undefined : problems[0];
    },
    async prepare(reference) {
      const resolved = Object.hasOwn(schemes, reference.split(':')[0] ?? '')
        ? undefined
        : resolveModel(reference, catalog);
      const first = resolved?.type === 'list' ? resolved.models[0] : resolved;
      if (first?.type === 'model') await loadProvider(first.endpoint.type);
    },
    detect: () => detectModels({ env, ...optional({ fetch }) }),
    detectBest: () => detectBestModel({ env, ...optional({ fetch }) }),
  };
}
