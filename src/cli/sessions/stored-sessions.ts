/**
 * Sessions as the store holds them: looked at without opening them, so that nothing of them is taken
 * over, recovered or started.
 */
import type { Store } from '../../ports/store.ts';
import type { Body } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { findSession, noSession } from '../../session/read/find-session.ts';
import { loadSession, type LoadedSession } from '../../session/read/load-session.ts';
import { configOf } from '../folder-config.ts';
import { openExistingStore, storeAddressOf } from '../open-store.ts';

export interface StoredSessions extends AsyncDisposable {
  readonly store: Store;
  /** By id, a prefix of one, or `latest`. */
  find(id: string): Promise<SessionId>;
  load(session: SessionId): Promise<LoadedSession>;
  /** All events, oldest first, up to a damaged one. */
  events(session: SessionId): Promise<readonly Recorded[]>;
  read(body: Body): Promise<string>;
}

export interface StoreChoice {
  readonly cwd?: string | undefined;
  readonly store?: string | undefined;
}

/** Undefined where there is no store yet. */
export async function openStoredSessions({ cwd, store: given }: StoreChoice): Promise<StoredSessions | undefined> {
  const config = await configOf({ cwd: cwd ?? process.cwd() });
  const store = await openExistingStore(storeAddressOf(given, config));
  if (store === undefined) return undefined;
  const { journal, blobs } = store;
  return {
    store,
    async find(id) {
      const found = id === '' ? undefined : await findSession(journal, id);
      if (found === undefined) throw noSession(id);
      return found;
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

/** For commands about one session: where there is no store there is no such session either. */
export async function storedSessionsFor(id: string, choice: StoreChoice): Promise<StoredSessions> {
  const stored = await openStoredSessions(choice);
  if (stored === undefined) throw noSession(id);
  return stored;
}
