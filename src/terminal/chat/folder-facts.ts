/** Facts of a folder for the start screen. Everything is optional that another machine doesn't know. */
export interface FolderFacts {
  /** Files that git tracks, and those that changed. Undefined outside a repository. */
  readonly files?: number;
  readonly changedFiles?: number;
  /** Whether the project's own configuration counts. Undefined if it has none. */
  readonly isTrusted?: boolean;
  /** Other agents on this machine. */
  readonly agents: readonly string[];
  readonly hasSandbox: boolean;
}
