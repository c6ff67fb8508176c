/** The part of a peer's own zod that the one tool needs. */
export interface Zod {
  readonly z: { object(shape: object): object; string(): object };
}
