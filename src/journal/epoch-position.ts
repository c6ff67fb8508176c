import type { Position } from '../ports/lease.ts';

/** In memory and SQLite, where the epoch fences the log, a position is the claim's epoch. */
export function positionAt(epoch: number): Position {
  return { epoch } as unknown as Position;
}

export function epochOf(position: Position): number {
  return (position as unknown as { readonly epoch: number }).epoch;
}
