/**
 * The files of a folder at one moment, stored so that Rondo can restore them.
 *
 * 1. Taking a checkpoint changes nothing visible: no index, HEAD, branch, stash, hook or file.
 * 2. A label identifies one moment of a session. Taking it again returns the existing checkpoint.
 * 3. A restore requires a checkpoint of the current files, taken right before, so that it can be undone. Files in
 *    no checkpoint (ignored, too large, in an embedded repository) stay unchanged. After an interruption, repeat
 *    the restore with the same two checkpoints. Ignored files that were deleted since, and that the checkpoint
 *    before their deletion holds, come back too.
 * 4. Bytes are stored as they are on disk: no filters, no line-ending conversion.
 */
export interface Checkpoint {
  readonly session: string;
  readonly label: string;
  readonly at: number;
  /** The real path of the folder. */
  readonly root: string;
  readonly kept: KeptAs;
  /** Existing files that it doesn't contain. */
  readonly leftOut: readonly LeftOut[];
  /** Files that git ignores and that it holds because a command was about to delete them. */
  readonly ignored?: readonly string[];
}

type KeptAs =
  /**
   * A commit of the work tree below `root`. Its parent is the HEAD of that moment; `folder` is the path in the
   * repository.
   */
  | {
      readonly type: 'git';
      readonly commit: string;
      readonly ref: string;
      readonly head?: string;
      readonly folder: string;
    }
  /** Copies of files, made before each was changed. */
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
      /** Files written or removed, as slash-separated paths below the root. */
      readonly restored: readonly string[];
      readonly removed: readonly string[];
      /** Files left alone because content in no checkpoint is in the way. */
      readonly blocked: readonly string[];
    }
  | { readonly type: 'failed'; readonly message: string };

export interface CheckpointLimits {
  /** Leave out larger files. */
  readonly fileBytes?: number;
  /** Take no checkpoint with more new content, or more files, than this. */
  readonly totalBytes?: number;
  readonly files?: number;
}

export const DEFAULT_LIMITS: Required<CheckpointLimits> = {
  fileBytes: 64 * 1024 * 1024,
  totalBytes: 1024 * 1024 * 1024,
  files: 200_000,
};

/** The folder of a checkpoint, and where its copies go outside a repository. */
export interface CheckpointPlace {
  readonly root: string;
  readonly session: string;
  /** For copies: a folder outside `root` that the caller owns. */
  readonly copies: string;
}
