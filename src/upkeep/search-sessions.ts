import type { DirectoryEntry } from '../views/directory.ts';
import type { Store } from '../ports/store.ts';
import type { SearchHit } from '../ports/upkeep.ts';
import type { SessionId } from '../kernel/ids.ts';

/** With the newest matching message, unless only the title matches. */
export interface FoundSession extends DirectoryEntry, Partial<Pick<SearchHit, 'seq' | 'excerpt'>> {}

/** Sessions whose title or messages contain the words, newest first. */
export async function searchSessions(
  { journal, upkeep }: Pick<Store, 'journal' | 'upkeep'>,
  text: string,
  limit: number,
): Promise<readonly FoundSession[]> {
  const [titled, hits] = await Promise.all([journal.list({ q: text, limit }), upkeep.search({ text, limit })]);
  const sessions = new Map<SessionId, FoundSession>(titled.entries.map((entry) => [entry.session, entry]));
  for (const { session, seq, excerpt } of hits) {
    const entry = sessions.get(session) ?? (await entryOf(journal, session));
    if (entry !== undefined) sessions.set(session, { ...entry, seq, excerpt });
  }
  return [...sessions.values()].toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, limit);
}

async function entryOf(journal: Store['journal'], session: SessionId): Promise<DirectoryEntry | undefined> {
  return (await journal.list({ prefix: session, limit: 1 })).entries.find((entry) => entry.session === session);
}
