/** Why an input changed nothing: said to its sender, not recorded. */
export interface Refusal {
  readonly code: 'not-found' | 'conflict' | 'closed' | 'forbidden' | 'limit' | 'invalid';
  readonly message: string;
}
