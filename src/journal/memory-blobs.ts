import type { BlobHash } from '../kernel/ids.ts';
import { blobHashOf } from './blob-hash.ts';
import type { Blobs } from './blobs.ts';

export interface MemoryBlob {
  readonly content: string;
  readonly putAt: number;
  /** Who has put it, and at which tick. */
  readonly holders: ReadonlyMap<Holder, number>;
}

export interface Holder {
  readonly status: 'alive' | 'lapsed' | 'crashed' | 'closed';
}

const holdMs = 3_600_000;

export function createMemoryBlobs(kept: Map<BlobHash, MemoryBlob>, self: Holder): Blobs {
  const isHeld = ({ holders }: MemoryBlob) =>
    [...holders].some(
      ([{ status }, ticks]) => (status === 'alive' || status === 'lapsed') && performance.now() - ticks < holdMs,
    );
  return {
    put(content) {
      const hash = blobHashOf(content);
      const holders = new Map([...(kept.get(hash)?.holders ?? []), [self, performance.now()]]);
      kept.set(hash, { content, putAt: Date.now(), holders });
      return Promise.resolve(hash);
    },
    get(hash) {
      const content = kept.get(hash)?.content;
      return Promise.resolve(content === undefined || blobHashOf(content) !== hash ? undefined : content);
    },
    async *list() {
      for (const [hash, blob] of kept) {
        const { content, putAt } = blob;
        yield { hash, size: Buffer.byteLength(content), putAt, isHeld: isHeld(blob) };
      }
    },
    remove(hash, { since }) {
      const blob = kept.get(hash);
      const isUnused = blob !== undefined && blob.putAt < since && !isHeld(blob);
      if (isUnused) kept.delete(hash);
      return Promise.resolve(isUnused);
    },
  };
}
