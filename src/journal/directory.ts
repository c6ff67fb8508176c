/** Shared by all stores' session lists: page size, cursor and search words. */
import type { SessionId } from '../kernel/ids.ts';
import type { DirectoryEntry } from '../views/directory.ts';

export const defaultPageSize = 50;

export interface DirectoryPlace {
  readonly updatedAt: number;
  readonly session: SessionId;
}

export function cursorAfter({ updatedAt, session }: DirectoryEntry): string {
  return `${updatedAt}~${session}`;
}

/** An unknown cursor starts from the top. */
export function placeOf(cursor: string | undefined): DirectoryPlace | undefined {
  const [updatedAt, session] = (cursor ?? '').split('~');
  if (session === undefined || !Number.isFinite(Number(updatedAt))) return undefined;
  return { updatedAt: Number(updatedAt), session: session as SessionId };
}

/** Every word must occur in the title, in any case and position. */
export function wordsIn(q: string | undefined): readonly string[] {
  return (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
}
