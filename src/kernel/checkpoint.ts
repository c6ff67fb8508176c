import type { Body } from './content.ts';
import type { Context } from './context.ts';
import type { EffectId } from './ids.ts';

/** What the files of a folder were at one moment, kept outside the journal and named here so that it can be had again. */
export interface FileCheckpoint {
  /** Names the moment within its session. */
  readonly label: string;
  readonly at: number;
  readonly root: string;
  readonly kept:
    | { readonly type: 'git'; readonly commit: string; readonly ref: string; readonly head?: string }
    | { readonly type: 'copies'; readonly number: number };
}

/** The files were brought back to what they were at an event. */
export interface FilesRestored {
  readonly type: 'files-restored';
  readonly to: number;
  readonly checkpoint: FileCheckpoint;
  /** What they were right before it: to restore that is to undo it. */
  readonly before: FileCheckpoint;
  /** Which files it changed: a `ChangedFiles` as JSON. Absent in older journals. */
  readonly changed?: Body;
}

/** What a restore did, as paths below the root. */
export interface ChangedFiles {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  /** Left as they are, because something that is in no checkpoint stands in the way. */
  readonly blocked: readonly string[];
}

/** What is wanted of a restore. */
export interface RestoreGoal {
  /** The event that the files go back to. */
  readonly to: number;
  readonly checkpoint: FileCheckpoint;
  /** Where the conversation goes on from, if it goes back too, and its context there. */
  readonly rewind?: { readonly to: number; readonly context: Context };
}

/** A restore in flight. Files are changed only once `before` is there: repeated, it is not taken again. */
export interface Restore extends RestoreGoal {
  readonly effect: EffectId;
  readonly attempt: number;
  readonly before?: FileCheckpoint;
}

export type RestoreOutcome =
  | { readonly type: 'restored'; readonly changed: Body }
  | { readonly type: 'failed'; readonly message: string };
