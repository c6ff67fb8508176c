/** The newest sessions and those that changed since, as the server reports them. */
import type { DirectoryMessage } from '../../../src/protocol/server-message.ts';
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import { orderedText } from '../../../src/views/visible-text.ts';

export type Directory = ReadonlyMap<string, DirectoryEntry>;

/** A page only replaces the entries it contains, because it lists only the newest ones. */
export function directoryWith(directory: Directory, { entries }: Pick<DirectoryMessage, 'entries'>): Directory {
  const next = new Map(directory);
  for (const entry of entries) {
    const had = next.get(entry.session);
    if (had === undefined || had.updatedAt <= entry.updatedAt) next.set(entry.session, entry);
  }
  return next;
}

export function titleOf({ title, session }: Pick<DirectoryEntry, 'title' | 'session'>): string {
  return title === '' ? `Session ${session.slice(-6)}` : orderedText(title);
}
