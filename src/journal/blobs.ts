import type { BlobHash } from '../kernel/ids.ts';

/**
 * Large content, kept once under its SHA-256. `put` answers when it is on disk. From then on it is held for an hour,
 * as long as its process lives and whatever is done to the clock: the record that names it comes after it.
 */
export interface Blobs {
  put(content: string): Promise<BlobHash>;
  /** Undefined where no such blob is kept, or what is kept does not match its hash. */
  get(hash: BlobHash): Promise<string | undefined>;
  list(): AsyncIterable<KeptBlob>;
  /** Removes a blob that nobody holds or has put since a time. False where somebody has, or there is none. */
  remove(hash: BlobHash, unused: { readonly since: number }): Promise<boolean>;
}

export interface KeptBlob {
  readonly hash: BlobHash;
  /** In bytes. */
  readonly size: number;
  /** When it was put last. */
  readonly putAt: number;
  /** The record that names it may be on its way. */
  readonly isHeld: boolean;
}
