/** Repositories as places, loaded for the first session that has one. */
import { fleetReader, readerVersion } from '../../journal/reader-version.ts';
import { Fault } from '../../kernel/fault.ts';
import type { Store } from '../../ports/store.ts';
import type { PlacesHome, RepositoryPlaces } from '../../places/repository-places.ts';

interface LazyPlacesOptions {
  readonly places?: PlacesHome;
  readonly secrets?: readonly string[];
}

export function lazyPlaces({ places, secrets }: LazyPlacesOptions, store: Store): () => Promise<RepositoryPlaces> {
  let loaded: Promise<RepositoryPlaces> | undefined;
  return async () => {
    if (places === undefined)
      throw new Fault('not-found', "Repositories aren't set up in this Rondo: pass `places` to createRondo.");
    return await (loaded ??= load(places, store, secrets));
  };
}

async function load(
  places: PlacesHome,
  store: Store,
  secrets: LazyPlacesOptions['secrets'],
): Promise<RepositoryPlaces> {
  const [{ createRepositoryPlaces }, { createRedactor }, { collectSecrets }] = await Promise.all([
    import('../../places/repository-places.ts'),
    import('../../security/secrets/redact.ts'),
    import('../../security/secrets/secrets.ts'),
  ]);
  const redact = createRedactor(collectSecrets(process.env, secrets));
  const made = createRepositoryPlaces({ ...places, blobs: store.blobs, redact });
  return {
    ...made,
    async open(session, request, title) {
      // An older node would run the session in a folder that it doesn't have.
      const reader = fleetReader(await store.nodes.list());
      if (reader < readerVersion)
        throw new Fault('busy', 'A node of this store runs an older Rondo. Upgrade it before using --repo.');
      return await made.open(session, request, title);
    },
  };
}
