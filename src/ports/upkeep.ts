/**
 * Maintenance of a store beside its running sessions: raw records, sizes, lists, search, removal. Used by bundles,
 * replay, doctor and retention.
 *
 * 1. A change names the epoch of its claim and the sequence it saw. If either changed, nothing is done and the
 *    answer is `changed`.
 * 2. A repair loses nothing: records taken out of a journal are set aside.
 * 3. Search catches up when someone searches, never when a session writes.
 */
import type { BlobHash, SessionId } from '../kernel/ids.ts';
import type { SweepOptions, Swept } from './blobs.ts';
import type { StoredRecord } from './stored-record.ts';
import type { NewRecord, QuestionEntry } from './journal.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import type { Owner } from './lease.ts';
import type { Time } from '../kernel/time.ts';

export interface Upkeep {
  /** Stored records after a sequence, sound or not, with their keys. */
  records(
    session: SessionId,
    range: { readonly after: number; readonly limit: number },
  ): Promise<readonly KeyedRecord[]>;
  /** Every stored session, listed or not, by id. */
  sessions(): Promise<readonly SessionId[]>;
  /** Bytes of records and snapshots by session, without blobs. */
  sizes(): Promise<ReadonlyMap<SessionId, number>>;
  /** What lists and inboxes show of a session. */
  shown(session: SessionId): Promise<Shown>;
  /** Rewrites what lists and inboxes show. */
  show(session: SessionId, shown: Shown, seen: { readonly seq: number }): Promise<UpkeepAnswer>;
  /** Sets the records from a sequence on aside; the session then counts as sound. */
  setAside(
    session: SessionId,
    seen: Seen,
    why: { readonly from: number; readonly reason: string },
  ): Promise<UpkeepAnswer>;
  /**
   * Removes a session: records, keys, snapshot, directory entry, answered letters. Refused for unanswered letters,
   * or if a fork outside `family` refers to it (O11).
   */
  remove(
    session: SessionId,
    seen: Seen,
    options: { readonly family: readonly SessionId[] },
  ): Promise<UpkeepAnswer>;
  /** The blobs that a session's records name. */
  blobsOf(session: SessionId): Promise<readonly BlobHash[]>;
  /** Deletes unreferenced blobs; see `Blobs`. Any number of processes may run it at once. */
  sweepBlobs(options: SweepOptions): Promise<Swept>;
  /** Sessions that refer to other sessions' journals, which must be kept. */
  forks(): Promise<readonly Fork[]>;
  search(query: SearchQuery): Promise<readonly SearchHit[]>;
  /** Processes that own sessions, or did when they died. */
  owners(): Promise<readonly KnownOwner[]>;
  /** Problems with the file itself; empty if it is sound or missing. */
  problems(): Promise<readonly string[]>;
  /** Versions of Rondo that wrote here, oldest first. */
  writers(): Promise<readonly string[]>;
}

export type KeyedRecord = StoredRecord & Pick<NewRecord, 'key'>;

export interface Seen {
  /** The epoch of the change's claim. */
  readonly epoch: number;
  readonly seq: number;
}

export type UpkeepAnswer = 'done' | 'changed';

export interface Shown {
  readonly entry?: DirectoryEntry;
  readonly questions: readonly QuestionEntry[];
  readonly due: Time | null;
  readonly inFlight: boolean;
}

interface Fork {
  readonly session: SessionId;
  readonly refersTo: readonly SessionId[];
}

export interface SearchQuery {
  /** Each word must start a word of the same message, ignoring case. */
  readonly text: string;
  readonly limit?: number;
  /** All matches in this session; without it, the newest match of each session. */
  readonly session?: SessionId;
}

/** A matching message. */
export interface SearchHit {
  readonly session: SessionId;
  /** The first sequence of its record. */
  readonly seq: number;
  /** The match with surrounding text. */
  readonly excerpt: string;
}

export interface KnownOwner {
  readonly owner: Owner;
  readonly sessions: number;
  readonly isGone: boolean;
}
