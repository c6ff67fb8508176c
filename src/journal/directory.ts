/** What every store's list of sessions has in common: the page size, the cursor and the search words. */
import type { SessionId } from '../kernel/ids.ts';
import type { DirectoryEntry } from './journal.ts';

export const defaultPageSize = 50;

export interface Place {
  readonly updatedAt: number;
  readonly session: SessionId;
}

export function cursorAfter({ updatedAt, session }: DirectoryEntry): string {
  return `${updatedAt}~${session}`;
}

/** A cursor that we never gave out starts from the top. */
export function placeOf(cursor: string | undefined): Place | undefined {
  const [updatedAt, session] = (cursor ?? '').split('~');
  if (session === undefined || !Number.isFinite(Number(updatedAt))) return undefined;
  return { updatedAt: Number(updatedAt), session: session as SessionId };
}

/** Every word must be found in the title, wherever and however it is written. */
export function wordsIn(q: string | undefined): readonly string[] {
  return (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
}
