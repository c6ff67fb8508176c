import type { SessionId } from '../kernel/ids.ts';
import type { Damage } from '../ports/journal.ts';

/** A session's row in a store that speaks SQL. */
export interface StoredSessionRow {
  readonly number: number;
  readonly seq: number;
  readonly epoch: number;
  readonly least_reader: number;
  readonly damage_seq: number | null;
  readonly damage_reason: string | null;
}

export function damageOf(session: SessionId, row: StoredSessionRow): Damage | undefined {
  return row.damage_seq === null ? undefined : { session, seq: row.damage_seq, reason: row.damage_reason ?? '' };
}

/** Reads backwards from `before`. */
export interface ReadingBack {
  readonly session: SessionId;
  readonly before: number;
  readonly limit: number;
}
