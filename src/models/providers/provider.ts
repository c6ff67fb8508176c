import type { BareModel } from '../bare-model.ts';
import type { Endpoint } from '../endpoint.ts';
import type { ProviderOptions } from '../sdk-model.ts';
import type { Environment } from '../../ports/environment.ts';

/** Everything Rondo knows about a provider. A new one is one file with its test, and its line in `all-providers.ts`. */
export interface Provider {
  /** Absent for a server that speaks another provider's wire format. */
  readonly wire?: Wire;
  /** Bare model names that mean this provider, such as `claude-sonnet-5-5`. */
  readonly bareNames?: RegExp;
  /** Its models by name, also behind a proxy. */
  readonly family?: RegExp;
  /** With or without a key: a call without one fails and names the variable. */
  endpoints(env: Environment): readonly Endpoint[];
  /** The model that the environment chooses, found without a request. */
  keyed?(env: Environment, endpoints: Endpoints): FoundModel | undefined;
  /** Models that a server lists. */
  probe?(env: Environment, endpoints: Endpoints, request: ProbeRequest): Promise<readonly FoundModel[]>;
}

/** A wire format: how to call a model, and what to assume about it. */
export interface Wire {
  readonly kind: string;
  /** Its provider's name in the OpenTelemetry conventions, if it isn't `kind`. */
  readonly conventionName?: string;
  /** Added to an address without a path. */
  readonly apiVersion: string;
  /** The smallest context window among current models, in tokens. */
  readonly window: number;
  create(options: ProviderOptions): BareModel;
  /** Preloads what the first call needs. */
  load(): Promise<unknown>;
}

export type Endpoints = ReadonlyMap<string, Endpoint>;

export interface FoundModel {
  /** A reference that the pool resolves. */
  readonly id: string;
  readonly provider: string;
  readonly why: string;
}

interface ProbeRequest {
  readonly fetch: typeof globalThis.fetch;
  /** Timeout; without it, generous for a server that the user named and short for one that may not exist. */
  readonly probeMs: number | undefined;
}
