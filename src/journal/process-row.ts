import type { Owner, Position } from '../ports/lease.ts';

/** A process that owns or owned something in a shared store. */
export interface ProcessRow {
  readonly number: number;
  readonly id: string;
  readonly pid: number;
  readonly started_at: string;
  readonly boot_id: string;
  readonly host: string;
  /** The store's time at the last renewal, for display and cleanup only. */
  readonly expires_at: number;
  readonly beat: number;
  readonly taken: number;
}

/** A process on another machine that was never seen again. */
export function isForgotten({ expires_at: expiresAt }: ProcessRow, at: number): boolean {
  return at - expiresAt > 86_400_000;
}

export function ownerOf({ id, pid, started_at: startedAt, boot_id: bootId, host }: ProcessRow): Owner {
  return { id, pid, startedAt, bootId, host };
}

/** A dead owner, the lease count that the caller saw, and whether its death is certain. */
export type GoneOwner = readonly [id: string, beat: number, isDead: boolean];

export type ClaimWritten<Written = { readonly position: Position }> =
  | ({
      readonly type: 'claimed';
      readonly epoch: number;
      readonly isUnclean: boolean;
      readonly fences: number;
    } & Written)
  | { readonly type: 'held'; readonly owner: Owner }
  | 'lost';

export type ReleaseAnswer = 'not-owned' | 'released' | 'handed-over';

export type RegisterWritten = 'registered' | 'name-taken' | 'lost';
