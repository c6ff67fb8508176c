/**
 * What keeps a store in order beside the sessions that work on it: whole records, sizes, what lists
 * show, search, removal. For bundles, replay, doctor and retention.
 *
 * 1. Whatever changes a session names the epoch it was claimed under and the sequence that was seen;
 *    where either is no longer true nothing is changed and `changed` is the answer.
 * 2. Nothing is lost by a repair: records that are taken out of a journal are set aside and kept.
 * 3. Search is made up to date when it is asked, never when a session writes.
 */
import type { BlobHash, SessionId } from '../kernel/ids.ts';
import type { SweepOptions, Swept } from './blobs.ts';
import type { StoredRecord } from './codec.ts';
import type { DirectoryEntry, NewRecord, QuestionEntry } from './journal.ts';
import type { Owner } from './lease.ts';
import type { Time } from '../kernel/time.ts';

export interface Upkeep {
  /** Records after a sequence as they are stored, sound or not, with the keys that brought them. */
  records(
    session: SessionId,
    range: { readonly after: number; readonly limit: number },
  ): Promise<readonly KeyedRecord[]>;
  /** Every session that anything is kept of, listed or not, by id. */
  sessions(): Promise<readonly SessionId[]>;
  /** Bytes of records and snapshots by session; blobs are not counted. */
  sizes(): Promise<ReadonlyMap<SessionId, number>>;
  /** What lists and inboxes show of a session. */
  shown(session: SessionId): Promise<Shown>;
  /** Writes what lists and inboxes show anew. */
  show(session: SessionId, shown: Shown, seen: { readonly seq: number }): Promise<UpkeepAnswer>;
  /** Takes the records from a sequence on out of the journal and keeps them aside; the session counts as sound. */
  setAside(
    session: SessionId,
    seen: Seen,
    why: { readonly from: number; readonly reason: string },
  ): Promise<UpkeepAnswer>;
  /**
   * Removes everything of a session: records, keys, snapshot, its place in lists, answered letters. Unanswered letters
   * keep it, and so does a fork outside `family` that refers to it (O11).
   */
  remove(
    session: SessionId,
    seen: Seen,
    options: { readonly family: readonly SessionId[] },
  ): Promise<UpkeepAnswer>;
  /** Hashes of the blobs that the records of a session name. */
  blobsOf(session: SessionId): Promise<readonly BlobHash[]>;
  /** Deletes blobs that nothing names any more: see `Blobs`. Any number of processes may do so at once. */
  sweepBlobs(options: SweepOptions): Promise<Swept>;
  /** Sessions whose journal refers to those of others: what a fork goes on from must stay. */
  forks(): Promise<readonly Fork[]>;
  search(query: SearchQuery): Promise<readonly SearchHit[]>;
  /** Processes that hold sessions, or did when they died. */
  owners(): Promise<readonly KnownOwner[]>;
  /** Frees what a process holds. To be called of one that is gone only. */
  forgetOwner(id: string): Promise<void>;
  /** What is wrong with the file itself, in words; nothing where it is sound or there is none. */
  problems(): Promise<readonly string[]>;
  /** Versions of Rondo that wrote here, oldest first. */
  writers(): Promise<readonly string[]>;
}

export type KeyedRecord = StoredRecord & Pick<NewRecord, 'key'>;

export interface Seen {
  /** Of the claim that the change is made under. */
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

export interface Fork {
  readonly session: SessionId;
  readonly refersTo: readonly SessionId[];
}

export interface SearchQuery {
  /** Words that must all begin a word of one message, whatever their case. */
  readonly text: string;
  readonly limit?: number;
  /** Every message of this session that holds them; without it the newest one of each. */
  readonly session?: SessionId;
}

/** A message that holds the words. */
export interface SearchHit {
  readonly session: SessionId;
  /** First sequence of the record that says it. */
  readonly seq: number;
  /** The words and what stands around them. */
  readonly excerpt: string;
}

export interface KnownOwner {
  readonly owner: Owner;
  readonly sessions: number;
  readonly isGone: boolean;
}
