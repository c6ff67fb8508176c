/**
 * What the files of a folder were at one moment, kept so that it can be had again.
 *
 * 1. Taking one changes nothing a person sees: no index, HEAD, branch, stash, hook or file of theirs.
 * 2. A label names one moment of a session: taken again it gives the one there is.
 * 3. A restore needs a checkpoint of what it may change, taken right before, so it can be undone; what is in no
 *    checkpoint (ignored, too large, a repository inside) is neither changed nor removed.
 *    Cut off, it can be repeated with the same two checkpoints.
 * 4. Bytes are kept as they lie on disk: no filter, no conversion of line ends.
 */
export interface Checkpoint {
  readonly session: string;
  readonly label: string;
  readonly at: number;
  /** The folder it is of, as a real path. */
  readonly root: string;
  readonly kept: KeptAs;
  /** What it does not hold, though it was there. */
  readonly leftOut: readonly LeftOut[];
}

export type KeptAs =
  /** A commit of the work tree below `root`, its parent the HEAD of that moment; `folder` is where in the repository. */
  | {
      readonly type: 'git';
      readonly commit: string;
      readonly ref: string;
      readonly head?: string;
      readonly folder: string;
    }
  /** Copies of the files that were about to be touched. */
  | { readonly type: 'copies'; readonly number: number };

export interface LeftOut {
  readonly path: string;
  readonly reason: 'too-large' | 'repository-inside' | 'unreadable' | 'name-not-utf8' | 'not-a-file';
}

export type Taken =
  | { readonly type: 'taken'; readonly checkpoint: Checkpoint }
  | { readonly type: 'failed'; readonly message: string };

export type Restored =
  | {
      readonly type: 'restored';
      /** Written back and taken away, as paths below the root with slashes. */
      readonly restored: readonly string[];
      readonly removed: readonly string[];
      /** Left as they are, because something that is in no checkpoint stands in the way. */
      readonly blocked: readonly string[];
    }
  | { readonly type: 'failed'; readonly message: string };

export interface CheckpointLimits {
  /** A larger file is left out. */
  readonly fileBytes?: number;
  /** With more new content than this, or more files, none is taken. */
  readonly totalBytes?: number;
  readonly files?: number;
}

export const DEFAULT_LIMITS: Required<CheckpointLimits> = {
  fileBytes: 64 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  files: 200_000,
};

/** Where a checkpoint is taken, and where its copies go if there is no repository. */
export interface CheckpointPlace {
  readonly root: string;
  readonly session: string;
  /** For copies: a folder of the caller's, outside `root`. */
  readonly copies: string;
}
