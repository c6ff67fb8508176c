import { crc32 } from 'node:zlib';

import type { SessionId } from '../kernel/ids.ts';

/** Covers a record's position as well as its text, so that a moved record counts as damaged. */
export function checksumOf(session: SessionId, first: number, body: string): number {
  return crc32(body, crc32(`${session} ${first} `));
}
