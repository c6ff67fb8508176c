/** As much of a peer's own zod as the one tool needs. */
export interface Zod {
  readonly z: { object(shape: object): object; string(): object };
}
