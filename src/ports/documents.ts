/**
 * Small documents that all processes of a store share, such as its tokens. A document is read and written as a
 * whole, by compare-and-set on its version.
 */
export interface Documents {
  read(name: string): Promise<StoredDocument | undefined>;
  /** Replaces the document if its version is still `seen` (0: it doesn't exist). False: another process was first. */
  write(name: string, body: string, seen: number): Promise<boolean>;
}

export interface StoredDocument {
  /** From 1, one higher with every write. */
  readonly version: number;
  readonly body: string;
}
