import type { SessionId } from '../kernel/ids.ts';

export interface StoredRecord {
  readonly session: SessionId;
  /** Sequences of its first and last events. */
  readonly first: number;
  readonly last: number;
  readonly body: string;
  readonly checksum: number;
  /** The version that wrote the record at a sequence, if known. Called only for error messages. */
  readonly writtenBy?: (first: number) => string | undefined;
}
