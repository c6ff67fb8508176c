import type { BlobHash } from '../kernel/ids.ts';

/** Large content, kept once under its SHA-256. `put` answers when it is on disk. */
export interface Blobs {
  put(content: string): Promise<BlobHash>;
  /** Undefined where no such blob is kept, or what is kept does not match its hash. */
  get(hash: BlobHash): Promise<string | undefined>;
}
