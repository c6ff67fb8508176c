import type { BlobHash } from '../kernel/ids.ts';

/** Text, bytes, or a stream of bytes. */
type BlobContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Large content, stored once under its SHA-256.
 *
 * 1. `put` answers when content and name are on disk. Putting existing content renews its age.
 * 2. A blob is kept while a record, a letter or a set-aside record names it. Jobs hold their whole content, and a
 *    snapshot names only what its session's records name.
 * 3. A blob that nothing names is deleted a day after a sweep first saw it, unless it is put again
 *    (`Upkeep.sweepBlobs`). A later append gets `blob-missing`, and its owner puts the content again.
 */
export interface Blobs {
  put(content: BlobContent): Promise<BlobHash>;
  /** As text. Undefined if there is no such blob, or if its content doesn't match the hash. */
  get(hash: BlobHash): Promise<string | undefined>;
  bytes(hash: BlobHash): Promise<Uint8Array | undefined>;
  list(): AsyncIterable<KeptBlob>;
}

export interface KeptBlob {
  readonly hash: BlobHash;
  /** In bytes. */
  readonly size: number;
  /** When it was put last. */
  readonly putAt: number;
}

/** Deletes unreferenced blobs; see rule 3. */
export interface SweepOptions {
  readonly now: number;
  /** Milliseconds since boot, so that setting the clock forward doesn't shorten the wait. */
  readonly uptime: number;
  /** Only count what would be deleted. */
  readonly isDry?: boolean;
  /** Default: a day. */
  readonly waitMs?: number;
}

export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
  /** Unreferenced, but not old enough. */
  readonly waiting: number;
}
