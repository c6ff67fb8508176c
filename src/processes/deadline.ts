import { uptime } from 'node:os';

/** The deadline for the children of this process. Separate from the keeper, which loads with the first child. */
export interface Deadline {
  /** Ends all children after this many milliseconds, unless extended again. Without a call there is no deadline. */
  extend(ms: number): void;
  /** Removes the deadline: this process owns nothing that another could take over. */
  lift(): void;
  /** Negative if the deadline has passed. Undefined if there is none. */
  secondsLeft(): number | undefined;
  onChange(listener: () => void): void;
}

export function createDeadline(): Deadline {
  const listeners: (() => void)[] = [];
  /** In seconds of machine uptime, which keeps counting while the machine sleeps. */
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
