import type { Capabilities } from '../../runtime/capabilities.ts';
import type { Model } from '../../ports/model.ts';
import type { ModelIdentity } from './session-spans.ts';

type Resolve = Capabilities['models']['resolve'];

/** Remembers which model a reference meant in a folder, for telemetry. A reference may be an alias or absent. */
export function createModelIdentities(resolve: Resolve) {
  const identities = new Map<string, ModelIdentity>();
  const keyOf = (reference: string | undefined, cwd: string) => `${cwd}\n${reference ?? ''}`;
  return {
    resolve: async (...[agent, cwd]: Parameters<Resolve>): Promise<Model | string> => {
      const model = await resolve(agent, cwd);
      if (typeof model === 'string') return model;
      if (identities.size >= most) identities.clear();
      identities.set(keyOf(agent.model, cwd), identityOf(model));
      return model;
    },
    identify: (reference: string | undefined, cwd: string) => identities.get(keyOf(reference, cwd)),
  };
}

const most = 1000;

/** A provider's model is named `endpoint/model`. A model without a provider, such as `offline`, is its own. */
function identityOf({ name, provider }: Model): ModelIdentity {
  if (provider !== undefined) return { provider, model: name.slice(name.indexOf('/') + 1) };
  return { provider: /^[\w-]+/.exec(name)?.[0] ?? name, model: name };
}
