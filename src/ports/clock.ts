/**
 * Time as a capability.
 *
 * - `now` is the time of day, which people and the machine may set.
 * - `ticks` only goes forward. Use it for durations within one process. It stops while the machine sleeps.
 * - `uptime` also only goes forward, and counts sleep. All processes of one boot read the same clock.
 * - `at` schedules a call for a time and returns a function that cancels it. It converts the remaining time to
 *   ticks and never fires before they have passed, even if the time of day changes.
 */
export interface Clock {
  now(): number;
  ticks(): number;
  uptime(): number;
  at(time: number, call: () => void): () => void;
}
