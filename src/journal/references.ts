import type { BlobHash, SessionId } from '../kernel/ids.ts';

/**
 * The blobs that a stored text names. Scans the text, so that unknown events keep their blobs too; quotes inside a
 * string are escaped.
 */
export function blobsNamedIn(body: string): readonly BlobHash[] {
  if (!body.includes('"blob":"')) return [];
  return Array.from(body.matchAll(/"blob":"([0-9a-f]{64})"/g), ([, hash]) => hash as BlobHash);
}

/** The other sessions that a fork's first record refers to. Quotes inside a string are escaped. */
export function sessionsForkedIn(session: SessionId, firstBody: string): readonly SessionId[] {
  if (!firstBody.includes('"type":"session-forked"')) return [];
  const named = Array.from(firstBody.matchAll(/"session":"([\w-]+)"/g), ([, id]) => id as SessionId);
  return [...new Set(named)].filter((id) => id !== session);
}
