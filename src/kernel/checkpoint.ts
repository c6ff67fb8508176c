import type { Body } from './content.ts';
import type { Context } from './context.ts';
import type { EffectId } from './ids.ts';

/** The files of a folder at one moment, stored outside the journal and referenced here. */
export interface FileCheckpoint {
  /** Identifies the moment within its session. */
  readonly label: string;
  readonly at: number;
  readonly root: string;
  readonly kept:
    | { readonly type: 'git'; readonly commit: string; readonly ref: string; readonly head?: string }
    | { readonly type: 'copies'; readonly number: number };
}

/** Files were restored to their content at an event. */
export interface FilesRestored {
  readonly type: 'files-restored';
  readonly to: number;
  readonly checkpoint: FileCheckpoint;
  /** The files right before; restoring it undoes the restore. */
  readonly before: FileCheckpoint;
  /** The changed files: a `ChangedFiles` as JSON. Absent in older journals. */
  readonly changed?: Body;
}

/** The result of a restore, as paths below the root. */
export interface ChangedFiles {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  /** Left alone because content in no checkpoint is in the way. */
  readonly blocked: readonly string[];
}

/** The goal of a restore. */
export interface RestoreGoal {
  /** The event to restore files to. */
  readonly to: number;
  readonly checkpoint: FileCheckpoint;
  /** The event to rewind the conversation to, with its context, if it is rewound too. */
  readonly rewind?: { readonly to: number; readonly context: Context };
}

/** A restore in flight. Files change only once `before` exists, and a repeated restore doesn't take it again. */
export interface Restore extends RestoreGoal {
  readonly effect: EffectId;
  readonly attempt: number;
  readonly before?: FileCheckpoint;
}

export type RestoreOutcome =
  | { readonly type: 'restored'; readonly changed: Body }
  | { readonly type: 'failed'; readonly message: string };
