import type { BlobHash } from '../kernel/ids.ts';
import { blobHashOf } from './blob-hash.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { BlobMark } from './blob-mark.ts';

export interface MemoryBlob {
  readonly content: string | Uint8Array;
  readonly putAt: number;
  readonly mark?: BlobMark;
}

export function createMemoryBlobs(kept: Map<BlobHash, MemoryBlob>): Blobs {
  const contentOf = (hash: BlobHash) => {
    const content = kept.get(hash)?.content;
    return content === undefined || blobHashOf(content) !== hash ? undefined : content;
  };
  return {
    async put(content) {
      const isWhole = typeof content === 'string' || content instanceof Uint8Array;
      const whole = isWhole ? content : Buffer.concat(await Array.fromAsync(content));
      const hash = blobHashOf(whole);
      kept.set(hash, { content: whole, putAt: Date.now() });
      return hash;
    },
    get(hash) {
      const content = contentOf(hash);
      return Promise.resolve(content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content);
    },
    bytes(hash) {
      const content = contentOf(hash);
      return Promise.resolve(typeof content === 'string' ? Buffer.from(content) : content);
    },
    async *list() {
      for (const [hash, { content, putAt }] of kept) yield { hash, size: Buffer.byteLength(content), putAt };
    },
  };
}
