/**
 * Time as a capability. `now` is the time of day, which people and the machine may set; `ticks` only goes forward
 * and is for spans within one process. `at` schedules a call for a time, never early by the ticks that are left
 * until then, whatever happens to the time of day meanwhile; it returns what takes it back.
 */
export interface Clock {
  now(): number;
  ticks(): number;
  at(time: number, call: () => void): () => void;
}
