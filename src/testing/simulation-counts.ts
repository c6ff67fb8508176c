/** How often each kind of thing happened in a simulation. */
export interface SimulationCounts {
  inputs: number;
  acknowledged: number;
  crashes: number;
  lapses: number;
  /** Renewals that came so late that the lease was uncertain for a while. */
  lateRenewals: number;
  handOvers: number;
  failedAppends: number;
  failedReads: number;
  /** Appends that were written and whose answer was lost. */
  lostAnswers: number;
  /** Times that the time of day was set forward or back. */
  clockJumps: number;
  commits: number;
  effects: number;
  followed: number;
  orphansEnded: number;
  killsFailed: number;
  removals: number;
  /** Sessions that a retention rule removed. */
  retained: number;
  forksDuringRemoval: number;
  /** Letters whose sender or receiver died while handling them. */
  letterCuts: number;
  /** Processes that were stopped past their lease and continued. */
  suspensions: number;
  jobsFiled: number;
  jobsEnded: number;
  jobsCancelled: number;
  /** Jobs taken from a process that died or was stopped. */
  jobsLost: number;
  deadLetters: number;
}
