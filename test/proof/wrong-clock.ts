/** The time of day of processes that loaded `preload.ts`, set wrong while they run. */
import { closeSync, openSync, writeSync } from 'node:fs';

export interface WrongClock extends Disposable {
  /** What they are started with. */
  readonly env: Readonly<Record<string, string>>;
  /** By how much it is wrong from now on. */
  set(byMs: number): void;
}

export function createWrongClock(file: string): WrongClock {
  const descriptor = openSync(file, 'w');
  // In place and always as long, so that nobody reads half of it.
  const set = (byMs: number) => void writeSync(descriptor, String(byMs).padEnd(24), 0);
  set(0);
  return {
    env: { RONDO_TEST_CLOCK: file },
    set,
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}
