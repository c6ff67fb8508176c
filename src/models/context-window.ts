import { isServedHere, type Endpoint } from './endpoint.ts';
import { providers, wireOf } from './providers/all-providers.ts';

/**
 * A model's context window in tokens. The configuration wins. Without it, this assumes the smallest window among
 * current models of the family, so that Rondo summarizes too early rather than fails. The family follows from the
 * model's name, even behind a local proxy. Any other model of a local server is assumed to have a small window.
 */
export function contextWindow(endpoint: Endpoint, model: string, configured: number | undefined): number {
  if (configured !== undefined) return configured;
  const maker = providers.find(({ family }) => family?.test(model) === true)?.wire;
  return maker?.window ?? (isServedHere(endpoint) ? localWindow : wireOf(endpoint.type).window);
}

const localWindow = 32_768;
