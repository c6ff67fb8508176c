/** Why an input was refused. Sent to the sender and not recorded. */
export interface Refusal {
  readonly code: 'not-found' | 'conflict' | 'closed' | 'forbidden' | 'limit' | 'invalid';
  readonly message: string;
}
