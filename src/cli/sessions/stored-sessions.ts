/** Stored sessions, read without opening them: nothing is taken over, recovered or started. */
import type { Store } from '../../ports/store.ts';
import type { Body } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { resolveSessionId, noSession } from '../../session/read/resolve-session-id.ts';
import { loadSession, type LoadedSession } from '../../session/read/load-session.ts';
import { originOf } from '../../agents/merge-layers.ts';
import { storeName } from '../../journal/store-address.ts';
import { printable } from '../../views/printable.ts';
import { configOf } from '../folder-config.ts';
import { openExistingStore, storeAddressOf } from '../open-store.ts';
import { usageError } from '../usage-error.ts';

export interface StoredSessions extends AsyncDisposable {
  readonly store: Store;
  /** Accepts an id, a prefix, or `latest`. */
  find(id: string): Promise<SessionId>;
  load(session: SessionId): Promise<LoadedSession>;
  /** All events up to a damaged one, oldest first. */
  events(session: SessionId): Promise<readonly Recorded[]>;
  read(body: Body): Promise<string>;
}

export interface StoreChoice {
  readonly cwd?: string | undefined;
  readonly store?: string | undefined;
}

/** Undefined if the store doesn't exist. */
export async function openStoredSessions({ cwd, store: given }: StoreChoice): Promise<StoredSessions | undefined> {
  const config = await configOf({ cwd: cwd ?? process.cwd(), broken: 'left-out' });
  const address = storeAddressOf(given, config);
  // Else a broken file that names another store would make sessions seem to be gone.
  const isDefault = given === undefined && (process.env['RONDO_STORE'] ?? '') === '';
  if (isDefault && config.isPartial === true && originOf(config, ['store'])?.layer === 'default')
    console.error(`Looking at the default store, ${printable(storeName(address))}. --store names another one.`);
  const store = await openExistingStore(address);
  if (store === undefined) return undefined;
  const { journal, blobs } = store;
  return {
    store,
    async find(id) {
      const match = id === '' ? undefined : await resolveSessionId(journal, id);
      if (match === undefined) throw noSession(id);
      return match;
    },
    async load(session) {
      const loaded = await loadSession(journal, session);
      if (loaded === undefined) throw noSession(session);
      return loaded;
    },
    events: async (session) => (await journal.read(session, { after: 0 })).events,
    read: async (body) => (typeof body === 'string' ? body : ((await blobs.get(body.blob)) ?? body.preview)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** For commands about one session: the store, and the id of the session that the person named. */
export async function namedSession(
  name: string | undefined,
  choice: StoreChoice,
): Promise<StoredSessions & { readonly session: SessionId }> {
  if (name === undefined) throw usageError('which session? `rondo ls` lists them');
  const stored = await openStoredSessions(choice);
  if (stored === undefined) throw noSession(name);
  return { ...stored, session: await stored.find(name) };
}
