declare const brand: unique symbol;

/**
 * A point in time in whole milliseconds since 1970. Events keep times and the store has integer columns for them, while
 * ticks, spans of configuration and what providers name are fractional: a plain number is no `Time`, so the
 * compiler asks for one of these functions wherever a time enters the kernel or is computed in it.
 */
export type Time = number & { readonly [brand]: 'time' };

/** The first whole millisecond at or after: what waits for it never starts early. */
export function timeAt(ms: number): Time {
  return Math.ceil(ms) as Time;
}

/** The time that is a span after another. */
export function timeAfter(time: Time, ms: number): Time {
  return timeAt(time + ms);
}
