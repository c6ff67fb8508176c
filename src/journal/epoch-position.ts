import type { Position } from './lease.ts';

/** Where a session's epoch fences its log, in memory and in SQLite, a position is the epoch of the claim. */
export function positionAt(epoch: number): Position {
  return { epoch } as unknown as Position;
}

export function epochOf(position: Position): number {
  return (position as unknown as { readonly epoch: number }).epoch;
}
