import { uptime } from 'node:os';

/** Until when the children of this process may run. Apart from the keeper, which is loaded with the first child. */
export interface Deadline {
  /** Unless it is extended again, all children end in so many milliseconds. Without a call there is no deadline. */
  extend(ms: number): void;
  /** Without a deadline again: this process owns nothing that another could take over. */
  lift(): void;
  /** Negative where it has passed; undefined where there is none. */
  secondsLeft(): number | undefined;
  onChange(listener: () => void): void;
}

export function createDeadline(): Deadline {
  const listeners: (() => void)[] = [];
  /** In seconds of the machine's uptime, which also counts while it sleeps. */
  let until: number | undefined;
  function change(to: number | undefined): void {
    until = to;
    for (const listener of listeners) listener();
  }
  return {
    extend: (ms) => change(Math.max(until ?? 0, uptime() + ms / 1000)),
    lift: () => change(undefined),
    secondsLeft: () => (until === undefined ? undefined : until - uptime()),
    onChange: (listener) => void listeners.push(listener),
  };
}

/** The deadline of this process. */
export const childDeadline: Deadline = createDeadline();
