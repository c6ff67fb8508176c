import type { DirectoryEntry } from '../views/directory.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { Session } from '../session/handle/session.ts';
import type { Backend } from './backend.ts';

/** Reads page by page. May miss a session that changes during the iteration and moves to the front. */
export async function* everySession(backend: Pick<Backend, 'sessions'>): AsyncGenerator<DirectoryEntry> {
  const seen = new Set<SessionId>();
  let cursor: string | undefined;
  do {
    const page = await backend.sessions.list({ limit: 1000, ...optional({ cursor }) });
    for (const entry of page.entries) {
      if (!seen.has(entry.session)) yield entry;
      seen.add(entry.session);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}

export async function everyEvent(session: Session): Promise<readonly Recorded[]> {
  const all: Recorded[] = [];
  for (;;) {
    const { events, last } = await session.events({ after: all.at(-1)?.seq ?? 0, limit: 5000 });
    all.push(...events);
    if (events.length === 0 || (all.at(-1)?.seq ?? 0) >= last) return all;
  }
}
