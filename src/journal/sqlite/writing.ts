import type { Owner } from '../lease.ts';
import type { Driver } from './driver.ts';
import type { SessionHeads } from './session-heads.ts';

/** What the operations of a transaction work with. */
export interface Writing {
  readonly db: Driver;
  readonly heads: SessionHeads;
  readonly self: Owner;
  readonly version: string;
  /** The database file. Blobs are kept beside it. */
  readonly path: string;
  now: number;
  /** Position of the newest record written. */
  newest: number;
}
