import type { Position } from '../ports/lease.ts';

/** Where an append or claim stands in a session's log: its row or message, its id, and the claim's epoch. */
interface LogPosition {
  readonly at: number;
  readonly append: string;
  readonly epoch: number;
}

export function opaque(at: LogPosition): Position {
  return at as unknown as Position;
}

export function logPositionOf(position: Position): LogPosition {
  return position as unknown as LogPosition;
}

/** Before the first append. Creation is its own claim. */
export const logStart = opaque({ at: 0, append: '', epoch: 1 });
