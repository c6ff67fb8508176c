import { hash } from 'node:crypto';

import type { BlobHash } from '../kernel/ids.ts';

export function blobHashOf(content: string): BlobHash {
  return hash('sha256', content, 'hex') as BlobHash;
}
