/**
 * A hosted session's life, as a pure function:
 *
 *     created ─ spawn ▶ spawning ─ attach ▶ active
 *        └──────── terminate ─┴───────────────┴──▶ terminating ─ clean ▶ cleaned
 *
 * 1. `created`, `spawning` and `active` may terminate; terminating again changes nothing.
 * 2. Only what is terminating can be cleaned.
 * 3. Everything else is a `TransitionError`, a value.
 */
/** Where a hosted session stands. */
export type LifecycleState = 'created' | 'spawning' | 'active' | 'terminating' | 'cleaned';
/** What moves a hosted session to its next state. */
export type LifecycleEvent = 'spawn' | 'attach' | 'terminate' | 'clean';

/** A move that the lifecycle doesn't have, and why. A value: nothing is thrown. */
export interface TransitionError {
  readonly type: 'transition-error';
  readonly state: LifecycleState;
  readonly event: LifecycleEvent;
  readonly reason: string;
}

/** The next state, or why there is none. */
export function nextLifecycle(state: LifecycleState, event: LifecycleEvent): LifecycleState | TransitionError {
  const entry = table[state][event];
  return 'to' in entry ? entry.to : { type: 'transition-error', state, event, reason: entry.reason };
}

/** Tells a refused move from a state. */
export function isTransitionError(value: LifecycleState | TransitionError): value is TransitionError {
  return typeof value !== 'string';
}

type Cell = { readonly to: LifecycleState } | { readonly reason: string };

const notSpawning = { reason: 'an agent is attached only while one is being spawned' };
const notTerminating = { reason: 'a session is terminated before it is cleaned' };
const over = { reason: 'the session is cleaned and over' };
const ending = { reason: 'the session is being terminated' };

const table: Readonly<Record<LifecycleState, Readonly<Record<LifecycleEvent, Cell>>>> = {
  created: {
    spawn: { to: 'spawning' },
    attach: notSpawning,
    terminate: { to: 'terminating' },
    clean: notTerminating,
  },
  spawning: {
    spawn: { reason: 'an agent is being spawned already' },
    attach: { to: 'active' },
    terminate: { to: 'terminating' },
    clean: notTerminating,
  },
  active: {
    spawn: { reason: 'the session has its agent already' },
    attach: { reason: 'the session has its agent already' },
    terminate: { to: 'terminating' },
    clean: notTerminating,
  },
  terminating: { spawn: ending, attach: ending, terminate: { to: 'terminating' }, clean: { to: 'cleaned' } },
  cleaned: { spawn: over, attach: over, terminate: over, clean: over },
};
