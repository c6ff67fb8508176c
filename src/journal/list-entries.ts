import { cursorAfter, defaultPageSize, placeOf, wordsIn, type DirectoryPlace } from './directory.ts';
import type { DirectoryPage, DirectoryQuery } from '../ports/journal.ts';
import type { DirectoryEntry } from '../views/directory.ts';

/** A page of entries that are all in memory. */
export function listEntries(
  sessions: Iterable<{ readonly entry?: DirectoryEntry | undefined }>,
  query: DirectoryQuery,
): DirectoryPage {
  const { limit = defaultPageSize } = query;
  const words = wordsIn(query.q);
  const from = placeOf(query.cursor);
  const entries: DirectoryEntry[] = [];
  for (const { entry } of sessions) {
    if (entry === undefined || (from !== undefined && compare(entry, from) <= 0)) continue;
    if (matches(entry, query, words)) entries.push(entry);
  }
  const page = entries.toSorted(compare).slice(0, limit);
  const last = page.at(-1);
  return {
    entries: page,
    ...(last !== undefined && entries.length > page.length && { cursor: cursorAfter(last) }),
  };
}

function matches(entry: DirectoryEntry, query: DirectoryQuery, words: readonly string[]): boolean {
  const { state, agent, parent, origin, prefix = '' } = query;
  if (state !== undefined && entry.state !== state) return false;
  if (agent !== undefined && entry.agent !== agent) return false;
  if (parent !== undefined && entry.parent !== parent) return false;
  if (origin !== undefined && entry.origin?.session !== origin) return false;
  if (!entry.session.startsWith(prefix)) return false;
  const title = words.length === 0 ? '' : entry.title.toLowerCase();
  return words.every((word) => title.includes(word));
}

function compare(a: DirectoryPlace, b: DirectoryPlace): number {
  return b.updatedAt - a.updatedAt || (a.session < b.session ? -1 : a.session > b.session ? 1 : 0);
}
