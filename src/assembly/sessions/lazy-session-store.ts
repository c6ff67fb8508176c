/** A Rondo's stored sessions, loaded on first use: most programs never need them. */
import type { SessionStore, SessionStoreParts } from '../../upkeep/session-store.ts';

export function lazySessionStore(
  parts: Omit<SessionStoreParts, 'redact'> & { readonly secrets?: readonly string[] },
): SessionStore {
  let loaded: Promise<SessionStore> | undefined;
  const stored = () => (loaded ??= load(parts));
  return {
    load: async (id) => (await stored()).load(id),
    search: async (text, given) => (await stored()).search(text, given),
    find: async (id, text, given) => (await stored()).find(id, text, given),
    delete: async (id) => (await stored()).delete(id),
    export: async (id, given) => (await stored()).export(id, given),
    import: async (bundle, given) => (await stored()).import(bundle, given),
  };
}

async function load({ secrets, ...parts }: Parameters<typeof lazySessionStore>[0]): Promise<SessionStore> {
  const [{ createSessionStore }, { createRedactor }, { collectSecrets }] = await Promise.all([
    import('../../upkeep/session-store.ts'),
    import('../../security/secrets/redact.ts'),
    import('../../security/secrets/secrets.ts'),
  ]);
  return createSessionStore({ ...parts, redact: createRedactor(collectSecrets(process.env, secrets)) });
}
