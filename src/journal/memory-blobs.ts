import type { BlobHash } from '../kernel/ids.ts';
import { blobHashOf } from './blob-hash.ts';
import type { Blobs } from './blobs.ts';

export interface MemoryBlob {
  readonly content: string;
  readonly putAt: number;
}

export function createMemoryBlobs(kept: Map<BlobHash, MemoryBlob> = new Map()): Blobs {
  return {
    put(content) {
      const hash = blobHashOf(content);
      kept.set(hash, { content, putAt: Date.now() });
      return Promise.resolve(hash);
    },
    get(hash) {
      const content = kept.get(hash)?.content;
      return Promise.resolve(content === undefined || blobHashOf(content) !== hash ? undefined : content);
    },
    async *list() {
      for (const [hash, { content, putAt }] of kept) yield { hash, size: Buffer.byteLength(content), putAt };
    },
    remove(hash, { since }) {
      const isUnused = (kept.get(hash)?.putAt ?? Infinity) < since;
      if (isUnused) kept.delete(hash);
      return Promise.resolve(isUnused);
    },
  };
}
