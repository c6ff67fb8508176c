import type { Position } from '../../ports/lease.ts';

/** A row of a session's log: its number, the id of the append or claim that wrote it, and the claim's epoch. */
export interface LogPosition {
  readonly position: number;
  readonly append: string;
  readonly epoch: number;
}

/** Before the first row. Creation is its own claim. */
export const logStart: LogPosition = { position: 0, append: '', epoch: 1 };

export function opaque(at: LogPosition): Position {
  return at as unknown as Position;
}

export function logPositionOf(position: Position): LogPosition {
  return position as unknown as LogPosition;
}
