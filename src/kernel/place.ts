/**
 * A session that works on a repository instead of a folder of one machine. Any node that reaches the repository can
 * clone it and restore the files that were saved last.
 */
import type { BlobRef } from './content.ts';

export interface Place {
  /** Without credentials. */
  readonly url: string;
  /** The requested branch, tag or commit. Default: the remote's own. */
  readonly ref?: string;
  /** The commit where the work began. The remote has it. */
  readonly base: string;
  /** The branch of the result. */
  readonly branch: string;
  /** The folder to work in, below the top of the repository. */
  readonly folder?: string;
  /** Pushes the result's branch when a turn ends. */
  readonly push: boolean;
  /** The Rondo home that holds the clone, or `forkedHome`. */
  readonly home: string;
}

/** Beside a session's clone, where the session doesn't write: the name of the cache that it was cloned from. */
export const originFile = '.repository';

/** A fork has no clone before it is opened for the first time. */
export const forkedHome = 'fork';

/** The files of a place and its commits since the base. */
export interface SavedFiles {
  /** Its tree holds the files. Its parent is the commit that was checked out. */
  readonly commit: string;
  /** The branch that was checked out, if any. */
  readonly branch?: string;
  /** A git bundle that builds on the base. */
  readonly bundle: BlobRef;
  /** The bundle holds the base too, because the remote no longer does. */
  readonly isComplete?: true;
  /** What isn't in it, mostly files, at most `leftOutKept`. */
  readonly leftOut: readonly string[];
}

export const leftOutKept = 20;

/** The place's clone is in another home now, or a fork got its own, or a session left its folder behind. */
export interface PlaceMoved {
  readonly isFork?: true;
  readonly cwd: string;
  /** The Rondo home that holds the clone. */
  readonly home?: string;
  /** The machine of `cwd`, for a session that works in a folder. */
  readonly machine?: string;
  /** What the new clone may lack, in words for people and models. */
  readonly missing: readonly string[];
}

/** How the push of a result ended. */
export interface PushSettled {
  readonly branch: string;
  /** The pushed commit. Absent if the push failed. */
  readonly commit?: string;
  /** Why it failed, or why the files aren't saved for other machines, and what to do. */
  readonly problem?: string;
}

/** The commit that the result's branch has on the remote. */
export interface PushedBranch {
  readonly branch: string;
  readonly commit: string;
}
