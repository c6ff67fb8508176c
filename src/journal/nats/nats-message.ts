export interface NatsMessage {
  /** Its sequence in the stream. */
  readonly seq: number;
  readonly subject: string;
  readonly id: string;
  readonly body: Buffer;
  /** Its body only names pieces; see `large-bodies.ts`. */
  readonly isInPieces: boolean;
}

export const headerNames = { id: 'Rondo-Id', pieces: 'Rondo-Pieces' } as const;
