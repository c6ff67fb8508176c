import type { BlobHash } from '../kernel/ids.ts';
import { blobHashOf } from './blob-hash.ts';
import type { Blobs } from './blobs.ts';

export function createMemoryBlobs(kept: Map<BlobHash, string> = new Map()): Blobs {
  return {
    put(content) {
      const hash = blobHashOf(content);
      kept.set(hash, content);
      return Promise.resolve(hash);
    },
    get(hash) {
      const content = kept.get(hash);
      return Promise.resolve(content === undefined || blobHashOf(content) !== hash ? undefined : content);
    },
  };
}
