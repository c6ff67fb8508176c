import type { BlobHash } from '../kernel/ids.ts';

/** Text, bytes, or bytes as they come. */
export type BlobContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Large content, kept once under its SHA-256.
 *
 * 1. `put` answers when content and name are on disk. Putting what is there already renews its age.
 * 2. Records, letters and set-aside records that name a blob keep it. Jobs hold their whole content, and a snapshot
 *    names only what the records of its session name.
 * 3. What nothing names is deleted a day after a sweep first saw it so, unless it was put again (`Upkeep.sweepBlobs`).
 *    An append that comes later still is answered `blob-missing`, and its owner puts the content again.
 */
export interface Blobs {
  put(content: BlobContent): Promise<BlobHash>;
  /** As text. Undefined where no such blob is kept, or the kept content does not match its hash. */
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

/** Deletes what nothing names; see rule 3. */
export interface SweepOptions {
  readonly now: number;
  /** Milliseconds since the machine started: a clock that is set ahead does not shorten the wait. */
  readonly uptime: number;
  /** Only counts what would be deleted, and marks nothing. */
  readonly isDry?: boolean;
  /** Default: a day. */
  readonly waitMs?: number;
}

export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
  /** Named by nothing and not old enough yet. */
  readonly waiting: number;
}

export const nothingSwept: Swept = { blobs: 0, bytes: 0, waiting: 0 };

/** When a sweep first saw that nothing names a blob. */
export interface BlobMark {
  readonly at: number;
  readonly uptime: number;
  /** The machine's start, which `uptime` counts from. */
  readonly boot: string;
  /** When the blob had been put: another time means that it was put again. */
  readonly putAt: number;
}

export type MarkState = 'over' | 'waiting' | 'outdated';

/** Two clocks must agree that the wait is over. After a restart only one of them can tell. */
export function markState(
  mark: BlobMark | undefined,
  seen: BlobMark,
  waitMs: number | undefined = 86_400_000,
): MarkState {
  if (mark === undefined || mark.putAt !== seen.putAt || mark.at > seen.at) return 'outdated';
  const isUpLong = mark.boot !== seen.boot || seen.uptime - mark.uptime >= waitMs;
  return isUpLong && seen.at - mark.at >= waitMs ? 'over' : 'waiting';
}
