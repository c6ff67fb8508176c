/** How a session's files differ from an earlier moment. */

/** One changed file, as a path below the session's folder. */
export interface SessionFileChange {
  readonly path: string;
  /** The old path of a moved file. */
  readonly from?: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed';
  /** Lines. Absent for binary files. */
  readonly added?: number;
  readonly removed?: number;
  readonly patch?: string;
  /** The folder's content isn't committed yet. */
  readonly isUncommitted?: boolean;
  /** The file on disk was written after the idle session's last turn or rewind: not by this session. */
  readonly isForeign?: boolean;
}

export interface ChangesOptions {
  /** Compares with the files as they were at this event. Default: at the start of the session. */
  readonly since?: number;
  /** Include patches. */
  readonly patch?: boolean;
}

/** `unavailable`: nothing to compare with was kept. */
export type SessionChanges =
  | { readonly type: 'diff'; readonly changes: readonly SessionFileChange[] }
  | { readonly type: 'unavailable'; readonly message: string };
