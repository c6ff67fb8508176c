import type { LoadedConfig } from '../../agents/config-layers.ts';
import type { StoreAddress } from '../../journal/store-address.ts';
import type { Store } from '../../ports/store.ts';
import { createSystemClock } from '../../runtime/system-clock.ts';
import { createSystemIds } from '../../runtime/system-ids.ts';
import { createRedactor } from '../../security/secrets/redact.ts';
import { collectSecrets } from '../../security/secrets/secrets.ts';
import { noSession } from '../../session/read/resolve-session-id.ts';
import { createSessionStore, type SessionStore } from '../../upkeep/session-store.ts';
import { configOf } from '../folder-config.ts';
import { openStore } from '../../assembly/open-store.ts';
import { openExistingStore, storeAddressOf } from '../open-store.ts';
import type { StoreChoice } from '../sessions/stored-sessions.ts';
import { releaseReserve } from './space-reserve.ts';

interface OpenedSessionStore extends AsyncDisposable {
  readonly store: Store;
  readonly address: StoreAddress;
  readonly sessions: SessionStore;
  readonly config: LoadedConfig;
}

/**
 * Stored sessions for commands that run none of them. Looking for a session creates no store. Read-only commands
 * work on a full or read-only disk. Commands that remove sessions use the reserve if the disk is full.
 */
export async function openSessionStore(
  choice: StoreChoice,
  { asked, purpose = 'write' }: { readonly asked?: string; readonly purpose?: 'look' | 'write' | 'remove' } = {},
): Promise<OpenedSessionStore> {
  const config = await configOf({ cwd: choice.cwd ?? process.cwd() });
  const address = storeAddressOf(choice.store, config);
  if (purpose === 'remove' && address.type === 'sqlite') releaseReserve(address.path);
  const isMade = asked === undefined && purpose !== 'look';
  const existing = isMade ? await openStore(address) : await openExistingStore(address);
  if (existing === undefined && asked !== undefined) throw noSession(asked);
  const store = existing ?? (await openStore({ type: 'memory' }));
  const clock = createSystemClock();
  const ids = createSystemIds(() => clock.now());
  const keys = Object.values(config.config.endpoints ?? {}).flatMap(({ apiKey }) => apiKey ?? []);
  const sessions = createSessionStore({
    store,
    clock,
    newId: () => ids.session(),
    redact: createRedactor(collectSecrets(process.env, keys)),
    release: async () => undefined,
  });
  return { store, address, sessions, config, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
