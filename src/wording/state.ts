import type { Lifecycle } from '../views/status.ts';

/** A session's state in a word or two. */
export function stateText(state: Lifecycle): string {
  return texts[state];
}

const texts: Readonly<Record<Lifecycle, string>> = {
  new: 'New',
  idle: 'Idle',
  running: 'Working',
  waiting: 'Needs you',
  pausing: 'Pausing',
  cancelling: 'Stopping',
  closed: 'Ended',
};
