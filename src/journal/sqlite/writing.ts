import type { Owner } from '../../ports/lease.ts';
import type { Driver } from './driver.ts';
import type { SessionHeads } from './session-heads.ts';

/** The context of a transaction's operations. */
export interface Writing {
  readonly db: Driver;
  readonly heads: SessionHeads;
  readonly self: Owner;
  readonly version: string;
  /** The database file. Blobs are kept beside it. */
  readonly path: string;
  now: number;
  /** The newest written position. */
  newest: number;
}
