import { hash } from 'node:crypto';

import type { BlobHash } from '../kernel/ids.ts';

export function blobHashOf(content: string | Uint8Array): BlobHash {
  return hash('sha256', content, 'hex') as BlobHash;
}

export function isBlobHash(text: string): text is BlobHash {
  return /^[0-9a-f]{64}$/.test(text);
}
