/** The time of day of processes that loaded `preload.ts`, set wrong while they run. */
import { closeSync, openSync, writeSync } from 'node:fs';

export interface WrongClock extends Disposable {
  /** Environment for the processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the error of the clock from now on. */
  set(byMs: number): void;
}

export function createWrongClock(file: string): WrongClock {
  const descriptor = openSync(file, 'w');
  // Written in place with constant length, so that nobody reads half of it.
  const set = (byMs: number) => void writeSync(descriptor, String(byMs).padEnd(24), 0);
  set(0);
  return {
    env: { RONDO_TEST_CLOCK: file },
    set,
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}
