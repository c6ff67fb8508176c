/** What a program does with stored sessions besides running them: read, search, export, import, delete. */
import { createReadStream } from 'node:fs';

import type { Store } from '../ports/store.ts';
import type { SessionId } from '../kernel/ids.ts';
import { Fault } from '../kernel/fault.ts';
import { resolveSessionId, noSession } from '../session/read/resolve-session-id.ts';
import { loadSession, type LoadedSession } from '../session/read/load-session.ts';
import type { ExportFormat } from '../ports/session-client.ts';
import { exportSession, type Export } from './export-session.ts';
import type { ChildrenWanted } from './bundle-plan.ts';
import { importBundle, type ImportReport } from './import-bundle.ts';
import type { SearchHit } from '../ports/upkeep.ts';
import { searchSessions, type FoundSession } from './search-sessions.ts';
import { removeSession, type RemovalParts } from './remove-session.ts';

export interface SessionStore {
  /** A stored session by id, prefix or `latest`, without opening it. */
  load(id: string): Promise<LoadedSession>;
  /** Sessions whose title or messages contain the words, newest first. */
  search(text: string, options?: { readonly limit?: number }): Promise<readonly FoundSession[]>;
  /** Matches within one session, newest first. */
  find(id: string, text: string, options?: { readonly limit?: number }): Promise<readonly SearchHit[]>;
  /** Deletes a session and its sub-agents. Rejects with a `Fault` if any of them has open work. */
  delete(id: string): Promise<readonly SessionId[]>;
  export(id: string, options?: StoreExportOptions): Promise<Export>;
  /** A bundle's path, or its text as a stream that can be opened twice. */
  import(bundle: string | (() => AsyncIterable<string>), options?: StoreImportOptions): Promise<ImportReport>;
}

interface StoreExportOptions {
  readonly format?: ExportFormat;
  readonly children?: ChildrenWanted;
  /** Include secrets. */
  readonly withSecrets?: boolean;
}

interface StoreImportOptions {
  readonly upToDamage?: boolean;
  /** For messages. */
  readonly name?: string;
}

export interface SessionStoreParts extends RemovalParts {
  readonly store: Store;
  readonly newId: () => SessionId;
  readonly redact: (text: string) => string;
  /** Releases a session that is live in this process. */
  readonly release: (session: SessionId) => Promise<void>;
}

export function createSessionStore(parts: SessionStoreParts): SessionStore {
  const { store, clock } = parts;
  const { journal } = store;

  async function existing(id: string): Promise<SessionId> {
    const match = await resolveSessionId(journal, id);
    if (match === undefined) throw noSession(id);
    return match;
  }

  return {
    async load(id) {
      const session = await existing(id);
      const loaded = await loadSession(journal, session);
      if (loaded === undefined) throw noSession(id);
      return loaded;
    },
    search: (text, { limit = 20 } = {}) => searchSessions(store, text, limit),
    find: async (id, text, { limit = 20 } = {}) =>
      store.upkeep.search({ text, limit, session: await existing(id) }),
    async delete(id) {
      const session = await existing(id);
      await parts.release(session);
      const removal = await removeSession(parts, session);
      if (removal.type === 'removed') return removal.sessions;
      throw new Fault(
        'busy',
        `Can't delete session ${session}: ${removal.session} stays, because ${removal.why}. Nothing was deleted; end that first.`,
      );
    },
    export: async (id, { format = 'bundle', children = 'small', withSecrets = false } = {}) =>
      exportSession(store, await existing(id), {
        format,
        children,
        at: clock.now(),
        ...(!withSecrets && { redact: parts.redact }),
      }),
    import: (bundle, { upToDamage = false, name = typeof bundle === 'string' ? bundle : 'a bundle' } = {}) =>
      importBundle({
        store,
        open: typeof bundle === 'string' ? () => createReadStream(bundle, 'utf8') : bundle,
        name,
        newId: parts.newId,
        now: () => clock.now(),
        upToDamage,
      }),
  };
}
