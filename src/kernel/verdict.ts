/**
 * Whether a turn is alive. `stuck`: no activity from its stream or tool. `looping`: the same call with the same
 * result, repeatedly. `crash-looping`: the process dies whenever it continues.
 */
export interface LivenessVerdict {
  readonly verdict: 'stuck' | 'looping' | 'crash-looping';
  /** The evidence, for people and the model. */
  readonly evidence: string;
  /** `note`: only recorded. `warn`: sent to the model. `stop`: fails the turn. */
  readonly action: 'note' | 'warn' | 'stop';
}
