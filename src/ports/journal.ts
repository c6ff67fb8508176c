/**
 * The journal port.
 *
 * 1. `append` writes all of its records or none, at the position it follows (O1). A mismatch is a return value.
 * 2. Its promise resolves after the records are on disk. Listeners hear nothing before that.
 * 3. A client's key is stored with its digest and checked inside the append: the same key again returns the first
 *    sequence, and the same key for other content is a conflict. A creation key is unique in the whole store: an
 *    append that would create a second session returns the first.
 * 4. Projections are written in the same transaction as the records.
 * 5. Expected problems are values. A `Fault` means a failure of the outside world, such as a full disk or an
 *    unreadable file. After a fault the caller reads the session again before it continues, with one exception:
 *    after `busy` it may repeat the same request. The first attempt may have been written although its answer was
 *    lost; the store recognises it by its id at that position and answers `appended` (O16).
 * 6. A damaged record is never skipped silently: reading stops before it and reports it.
 */
import type { Time } from '../kernel/time.ts';
import type { DirectoryEntry, DirectoryState } from '../views/directory.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import type { BlobHash, QuestionId, SessionId } from '../kernel/ids.ts';
import type { Position } from './lease.ts';

export interface Journal extends AsyncDisposable {
  append(request: AppendRequest): Promise<AppendAnswer>;
  /** Events after a sequence, oldest first: at most `limit`, but always whole records. */
  read(session: SessionId, range: { readonly after: number; readonly limit?: number }): Promise<Page>;
  /** For paging back: the newest `limit` events before a sequence, oldest first. */
  readBack(session: SessionId, range: { readonly before: number; readonly limit: number }): Promise<Page>;
  /**
   * Reads the whole session and stores the result: a damaged session is refused from now on, a sound one is
   * accepted again.
   */
  check(session: SessionId): Promise<readonly Damage[]>;
  head(session: SessionId): Promise<Head | undefined>;
  /** What an input's key was used for in a session. */
  keyed(session: SessionId, key: string): Promise<KeptKey | undefined>;
  /** The session that a creation key created. */
  createdWith(key: string): Promise<Creation | undefined>;
  list(query: DirectoryQuery): Promise<DirectoryPage>;
  /** The same page as text, for forwarding. */
  listText(query: DirectoryQuery): Promise<DirectoryText>;
  openQuestions(query: { readonly session?: SessionId }): Promise<readonly QuestionEntry[]>;
  loadSnapshot(session: SessionId): Promise<Snapshot | undefined>;
  /** Replaces the session's snapshot, unless the epoch is stale. It is a cache: losing it only costs time. */
  saveSnapshot(session: SessionId, snapshot: Snapshot, by: { readonly epoch: number }): Promise<void>;
  /** Called after each commit in this process, and when another process announces one. */
  onCommit(listener: (commit: Commit) => void): () => void;
}

export interface AppendRequest {
  readonly session: SessionId;
  /** The position that this append follows: from the claim, then from the previous append. */
  readonly position: Position;
  /** Names this append among those of its claim. The same for every repeat of it (O16). */
  readonly id?: string;
  /** The newest sequence before this append; 0 for a new session. */
  readonly expected: number;
  /** Empty if only letters are settled. */
  readonly records: readonly NewRecord[];
  readonly projection?: Projection;
  /** Letters that this append settles, including refused ones, with their senders' answers (O8). */
  readonly settles?: readonly SettledLetter[];
  /** This append settles what earlier owners left in flight: the session is clean. */
  readonly recovered?: true;
  /** Sessions whose journals this new session refers to. All must exist (O11). */
  readonly refersTo?: readonly SessionId[];
  /** Only with a session's first append. */
  readonly creation?: { readonly key: string; readonly digest: string };
  /** The oldest reader version that can read the records (`journal/reader-version.ts`). Absent: every version. */
  readonly leastReader?: number;
  /** Blobs that the records name although their content is lost. */
  readonly lost?: readonly BlobHash[];
}

export interface Creation {
  readonly session: SessionId;
  readonly digest: string;
}

export interface KeptKey {
  readonly digest: string;
  /** The first sequence of the key's record. */
  readonly seq: number;
}

/** One transition. */
export interface NewRecord {
  readonly at: number;
  readonly by: Actor;
  /** Each event's JSON, serialized once; the same text is stored and sent. */
  readonly events: readonly string[];
  readonly key?: { readonly key: string; readonly digest: string };
}

interface SettledLetter {
  readonly letter: number;
  readonly answer: string;
}

export type AppendAnswer =
  | { readonly type: 'appended'; readonly seq: number; readonly position: Position }
  /** Another writer was first: read again. A lower sequence than expected means that the store lost commits. */
  | { readonly type: 'conflict'; readonly seq: number }
  /** The epoch isn't current: this owner must stop. */
  | { readonly type: 'fenced'; readonly epoch: number }
  /** Record `index` repeats a key. Nothing of this append was written. */
  | { readonly type: 'duplicate'; readonly index: number; readonly seq: number }
  | { readonly type: 'key-reused'; readonly index: number; readonly seq: number }
  /** Its creation key already created another session. */
  | ({ readonly type: 'created-before' } & Creation)
  /** A session that it refers to was removed. */
  | { readonly type: 'origin-missing'; readonly session: SessionId }
  /** The journal is damaged and rejects writes until it is repaired. */
  | { readonly type: 'damaged'; readonly damage: Damage }
  /** The records name new blobs that aren't stored: put them and append again. */
  | { readonly type: 'blob-missing'; readonly hashes: readonly BlobHash[] };

export interface Page {
  readonly events: readonly Recorded[];
  /** The journal's newest sequence, possibly beyond this page. */
  readonly last: number;
  /** Reading stopped before a bad record. */
  readonly damage?: Damage;
}

export interface Damage {
  readonly session: SessionId;
  /** The first sequence of the bad record. */
  readonly seq: number;
  readonly reason: string;
}

export interface Head {
  readonly seq: number;
  readonly epoch: number;
  /** The oldest reader version that can read all of it. Absent: every version. */
  readonly leastReader?: number;
  readonly damage?: Damage;
}

export interface Snapshot {
  readonly seq: number;
  /** The state's format version; other versions are ignored. */
  readonly version: number;
  readonly body: string;
}

/** What lists and inboxes show without opening the session. Always equal to a fold of its events. */
export interface Projection {
  readonly entry?: DirectoryEntry;
  readonly questionsOpened?: readonly QuestionEntry[];
  readonly questionsClosed?: readonly QuestionId[];
  /** The earliest wait; null if there is none. */
  readonly due?: Time | null;
  /** True if effects are in flight, so that the session needs an owner. */
  readonly inFlight?: boolean;
}

/** Which sessions to list, by page. */
export interface DirectoryQuery {
  readonly state?: DirectoryState;
  readonly agent?: string;
  readonly parent?: SessionId;
  /** Forks of this session. */
  readonly origin?: SessionId;
  /** Words to find in the title. */
  readonly q?: string;
  /** Ids with this prefix. */
  readonly prefix?: string;
  readonly limit?: number;
  /** From an earlier page. */
  readonly cursor?: string;
}

/** Newest first by `updatedAt`, then by id. */
export interface DirectoryPage {
  readonly entries: readonly DirectoryEntry[];
  readonly cursor?: string;
}

/** A page as text. */
export interface DirectoryText {
  /** The entries' stored JSON, as an array. */
  readonly entries: string;
  readonly cursor?: string;
}

/** An open question of a session. */
export interface QuestionEntry {
  readonly id: QuestionId;
  readonly session: SessionId;
  readonly openedAt: number;
  readonly type: string;
  /** JSON of the question's subject. */
  readonly about: string;
}

export interface Commit {
  readonly session: SessionId;
  readonly seq: number;
}
