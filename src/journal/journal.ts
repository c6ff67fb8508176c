/**
 * The journal port: what happened, kept.
 *
 * 1. `append` writes all of its records or none, at the position it follows (O1); a mismatch is an answer.
 * 2. Its promise resolves after the records are on disk; nothing is told to a listener before that.
 * 3. A client's key is kept with its digest: the same key again is answered with the first sequence,
 *    the same key for other content is a conflict. Checked inside the append.
 *    A key of creation is unique in the whole store: the append that would make a second session is answered
 *    with the first.
 * 4. Projections in an append are written in the same transaction as its records.
 * 5. Whatever is expected to go wrong is a value. `Fault` is thrown when the world fails: disk full,
 *    file unreadable. After a fault nothing of that append is there.
 * 6. A damaged record is never skipped silently: reading stops before it and says so.
 */
import type { Time } from '../kernel/time.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import type { BlobHash, QuestionId, SessionId } from '../kernel/ids.ts';
import type { Position } from './lease.ts';

export interface Journal extends AsyncDisposable {
  append(request: AppendRequest): Promise<AppendAnswer>;
  /** Events after a sequence, oldest first, at most `limit` of them but always whole records. */
  read(session: SessionId, range: { readonly after: number; readonly limit?: number }): Promise<Page>;
  /** Events before a sequence, for paging back: the newest `limit` of them, oldest first. */
  readBack(session: SessionId, range: { readonly before: number; readonly limit: number }): Promise<Page>;
  /** Like `read`, but goes on past bad records and names each of them. For looking and repairing, never for folding. */
  readPast(session: SessionId, range: { readonly after: number; readonly limit?: number }): Promise<PagePast>;
  /** Reads the whole session and keeps what it found: a damaged one is refused from now on, a sound one no longer. */
  check(session: SessionId): Promise<readonly Damage[]>;
  head(session: SessionId): Promise<Head | undefined>;
  /** What an input's key was used for in a session. */
  keyed(session: SessionId, key: string): Promise<KeptKey | undefined>;
  /** The session that a key of creation made. */
  createdWith(key: string): Promise<Creation | undefined>;
  list(query: DirectoryQuery): Promise<DirectoryPage>;
  /** The same page for whoever passes it on unread. */
  listText(query: DirectoryQuery): Promise<DirectoryText>;
  openQuestions(query: { readonly session?: SessionId }): Promise<readonly QuestionEntry[]>;
  loadSnapshot(session: SessionId): Promise<Snapshot | undefined>;
  /** Replaces the session's one snapshot, unless the epoch is stale. A cache: losing it changes nothing but time. */
  saveSnapshot(session: SessionId, snapshot: Snapshot, by: { readonly epoch: number }): Promise<void>;
  /** Called after each commit in this process, and when another process says it committed. */
  onCommit(listener: (commit: Commit) => void): () => void;
}

export interface AppendRequest {
  readonly session: SessionId;
  /** The place this append follows: of the claim, then of the append before it. */
  readonly position: Position;
  /** Sequence of the newest event before this append; 0 for a session that does not exist yet. */
  readonly expected: number;
  /** Empty where only letters are settled. */
  readonly records: readonly NewRecord[];
  readonly projection?: Projection;
  /** Letters that this append settles, refused ones included, with what their senders are to know (O8). */
  readonly settles?: readonly SettledLetter[];
  /** What earlier owners left in flight is settled by this append: the session is clean. */
  readonly recovered?: true;
  /** Sessions whose journals this new session refers to: none of them may be gone (O11). */
  readonly refersTo?: readonly SessionId[];
  /** Only with a session's first append. */
  readonly creation?: { readonly key: string; readonly digest: string };
  /** Blobs that the records name although nobody has their content any more. */
  readonly lost?: readonly BlobHash[];
}

export interface Creation {
  readonly session: SessionId;
  readonly digest: string;
}

export interface KeptKey {
  readonly digest: string;
  /** First sequence of the record that brought the key. */
  readonly seq: number;
}

/** One transition. */
export interface NewRecord {
  readonly at: number;
  readonly by: Actor;
  /** JSON of each event, made once; the same text is stored and sent. */
  readonly events: readonly string[];
  readonly key?: { readonly key: string; readonly digest: string };
}

export interface SettledLetter {
  readonly letter: number;
  readonly answer: string;
}

export type AppendAnswer =
  | { readonly type: 'appended'; readonly seq: number; readonly position: Position }
  /** Somebody else has written: reread. */
  | { readonly type: 'conflict'; readonly seq: number }
  /** The epoch is not the current one: this owner is stale and must stop. */
  | { readonly type: 'fenced'; readonly epoch: number }
  /** Record `index` repeats a key; nothing of this append was written. */
  | { readonly type: 'duplicate'; readonly index: number; readonly seq: number }
  | { readonly type: 'key-reused'; readonly index: number; readonly seq: number }
  /** Its key of creation made another session before. */
  | ({ readonly type: 'created-before' } & Creation)
  /** A session that it refers to was removed. */
  | { readonly type: 'origin-missing'; readonly session: SessionId }
  /** The session's journal is damaged and takes no writes until it is repaired. */
  | { readonly type: 'damaged'; readonly damage: Damage }
  /** Blobs that the records name are not kept, and nothing named them before: put them and append again. */
  | { readonly type: 'blob-missing'; readonly hashes: readonly BlobHash[] };

export interface Page {
  readonly events: readonly Recorded[];
  /** Sequence of the newest event in the journal, which may lie beyond this page. */
  readonly last: number;
  /** Reading stopped before a bad record. */
  readonly damage?: Damage;
}

export interface PagePast {
  readonly events: readonly Recorded[];
  readonly last: number;
  readonly damages: readonly Damage[];
}

export interface Damage {
  readonly session: SessionId;
  /** First sequence of the bad record. */
  readonly seq: number;
  readonly reason: string;
}

export interface Head {
  readonly seq: number;
  readonly epoch: number;
  readonly damage?: Damage;
}

export interface Snapshot {
  readonly seq: number;
  /** Version of the state's shape; a snapshot of another version is ignored. */
  readonly version: number;
  readonly body: string;
}

/** What lists and inboxes show without opening the session; always equal to a fold of its events. */
export interface Projection {
  readonly entry?: DirectoryEntry;
  readonly questionsOpened?: readonly QuestionEntry[];
  readonly questionsClosed?: readonly QuestionId[];
  /** Time of the earliest wait; null when there is none. */
  readonly due?: Time | null;
  /** Written with the entry: whether effects are in flight, so that somebody has to own the session. */
  readonly inFlight?: boolean;
}

export interface DirectoryEntry {
  readonly session: SessionId;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly title: string;
  readonly agent: string;
  readonly mode: string;
  readonly cwd: string;
  readonly parent?: SessionId;
  /** The session it was forked from; that one's events up to `at` are part of it and must be kept. */
  readonly origin?: { readonly session: SessionId; readonly at: number };
  /** It was imported and waits for a person to continue it. */
  readonly isForeign?: true;
  readonly state: DirectoryState;
  /** What it is at now, in words that follow "it is …", and since when its turn runs. Absent at rest. */
  readonly doing?: string;
  readonly workingSince?: number;
  readonly questions: number;
  readonly queued: number;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly costIsKnown: boolean;
  /** The part of these that sub-agents used; absent where there were none. */
  readonly children?: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly toolCalls: number;
    readonly cost: number;
    readonly costIsKnown: boolean;
  };
  /** The version of the row; absent in those of the first Rondos. */
  readonly view?: number;
}

export type DirectoryState = 'idle' | 'running' | 'waiting' | 'cancelling' | 'closed';

/** Which sessions to list; a page at a time. */
export interface DirectoryQuery {
  readonly state?: DirectoryState;
  readonly agent?: string;
  readonly parent?: SessionId;
  /** Forks of this session: those that refer to its journal. */
  readonly origin?: SessionId;
  /** Words to find in the title. */
  readonly q?: string;
  /** Ids that start with this. */
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
  /** JSON of the entries as they are kept, in brackets. */
  readonly entries: string;
  readonly cursor?: string;
}

/** An open question of some session. */
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
