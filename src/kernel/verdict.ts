/**
 * Whether a turn is alive. `stuck`: nothing comes from its stream or tool. `looping`: the same call
 * with the same result again and again. `crash-looping`: the process stops whenever it goes on.
 */
export interface LivenessVerdict {
  readonly verdict: 'stuck' | 'looping' | 'crash-looping';
  /** What was seen, in words for people and for the model. */
  readonly evidence: string;
  /** `note`: recorded only. `warn`: the model is told. `stop`: the turn ends as failed. */
  readonly action: 'note' | 'warn' | 'stop';
}
