/** Time as a capability. `at` schedules a call for a time (never early) and returns what takes it back. */
export interface Clock {
  now(): number;
  at(time: number, call: () => void): () => void;
}
