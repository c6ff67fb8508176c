import type { BlobHash, SessionId } from '../kernel/ids.ts';

/**
 * The blobs that a stored text names. Read from the text and not from known events, so that events
 * of a kind this Rondo does not know keep their blobs, too; inside a string the quotes are escaped.
 */
export function blobsNamedIn(body: string): readonly BlobHash[] {
  if (!body.includes('"blob":"')) return [];
  return Array.from(body.matchAll(/"blob":"([0-9a-f]{64})"/g), ([, hash]) => hash as BlobHash);
}

/** The other sessions that a fork's first record goes on from. Inside a string the quotes are escaped. */
export function sessionsForkedIn(session: SessionId, firstBody: string): readonly SessionId[] {
  if (!firstBody.includes('"type":"session-forked"')) return [];
  const named = Array.from(firstBody.matchAll(/"session":"([\w-]+)"/g), ([, id]) => id as SessionId);
  return [...new Set(named)].filter((id) => id !== session);
}
