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
}
