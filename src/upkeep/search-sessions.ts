import type { DirectoryEntry } from '../journal/journal.ts';
import type { Store } from '../journal/store.ts';
import type { SearchHit } from '../journal/upkeep.ts';
import type { SessionId } from '../kernel/ids.ts';

/** With the newest message that holds the words, where it was said and not only titled so. */
export interface FoundSession extends DirectoryEntry, Partial<Pick<SearchHit, 'seq' | 'excerpt'>> {}

/** Sessions with words in their title or in what was said, newest first. */
export async function searchSessions(
  { journal, upkeep }: Pick<Store, 'journal' | 'upkeep'>,
  text: string,
  limit: number,
): Promise<readonly FoundSession[]> {
  const [titled, said] = await Promise.all([journal.list({ q: text, limit }), upkeep.search({ text, limit })]);
  const found = new Map<SessionId, FoundSession>(titled.entries.map((entry) => [entry.session, entry]));
  for (const { session, seq, excerpt } of said) {
    const entry = found.get(session) ?? (await entryOf(journal, session));
    if (entry !== undefined) found.set(session, { ...entry, seq, excerpt });
  }
  return [...found.values()].toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, limit);
}

async function entryOf(journal: Store['journal'], session: SessionId): Promise<DirectoryEntry | undefined> {
  return (await journal.list({ prefix: session, limit: 1 })).entries.find((entry) => entry.session === session);
}
