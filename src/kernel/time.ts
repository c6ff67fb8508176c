declare const brand: unique symbol;

/**
 * A point in time in whole milliseconds since 1970. Events and the store use integers, while ticks, configured
 * durations and providers' times are fractional. A plain number isn't a `Time`, so the compiler requires one of
 * these functions wherever a time enters the kernel or is computed in it.
 */
export type Time = number & { readonly [brand]: 'time' };

/**
 * A moment on the clock of one boot of one machine. It counts sleep, and nobody can set it. All processes of that
 * boot read the same clock.
 */
export interface BootTime {
  readonly boot: string;
  readonly uptime: number;
}

/** Rounds up, so that a wait never ends early. */
export function timeAt(ms: number): Time {
  return Math.ceil(ms) as Time;
}

/** The time `ms` after another. */
export function timeAfter(time: Time, ms: number): Time {
  return timeAt(time + ms);
}
